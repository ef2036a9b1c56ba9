// Signs in with a passkey: by the button of the form, or by autofill of the address. The form stays hidden
// without scripts, and in a browser that cannot read the options.
const form = document.querySelector('[data-passkey]')
const credentials = window.PublicKeyCredential
if (form && credentials?.parseRequestOptionsFromJSON) {
  const publicKey = credentials.parseRequestOptionsFromJSON(JSON.parse(form.dataset.passkey))
  let pending = new AbortController()

  const signIn = async (mediation) => {
    // The browser has one request at a time.
    pending.abort()
    pending = new AbortController()
    const { signal } = pending
    const credential = await navigator.credentials.get({ publicKey, mediation, signal })
    form.elements.response.value = JSON.stringify(credential)
    form.submit()
  }

  const offerAutofill = async () => {
    const isOffered =
      document.querySelector('[autocomplete~="webauthn"]') &&
      (await credentials.isConditionalMediationAvailable?.())
    // The promise is rejected when the user signs in another way.
    if (isOffered) await signIn('conditional').catch(() => {})
  }

  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    signIn('optional').catch(offerAutofill)
  })
  offerAutofill()
}
