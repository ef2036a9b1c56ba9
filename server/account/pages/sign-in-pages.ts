import { MAILED_CODE_MINUTES } from '../../../shared/contract/mailed-codes.ts'
import { alert, type Html, html, type Page, type PageError } from '../../platform/http/page.ts'

/** The parameters of a page, which the sign-in forms in front of it pass on as hidden fields. */
export type FormFields = Record<string, string>

export const hidden = (fields: FormFields): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )

/** The content of a sign-in or sign-up form. */
export interface FormContent {
  /** Of the page that the form leads to. */
  path: string
  fields: FormFields
  purpose: Html
  providerLinks: Html[]
  /** A form of `passkeyForm`, on the sign-in page. */
  passkey: Html | undefined
  /** Where the address is sent to get a code by mail, if the page offers it. */
  codeAction: string | undefined
  /** Prefilled. */
  email: string | undefined
  fault: PageError | undefined
}

/** The URL of a page with its parameters. */
export const pathWith = (path: string, fields: FormFields): string =>
  `${path}?${new URLSearchParams(fields)}`

export const signInPage = (content: FormContent): Page => {
  const { path, fields, purpose, providerLinks, passkey, codeAction, email = '', fault } = content
  return {
    title: 'Sign in',
    hasPassword: true,
    hasPasskey: passkey !== undefined,
    status: fault?.status ?? 200,
    body: html`<h1>Sign in</h1>
<p class="quiet">${purpose}</p>
${alert(fault)}
<form method="post" action="${path}/signin">${hidden(fields)}${emailField(email, 'username webauthn')}
<label>Password
<input name="password" type="password" required autocomplete="current-password"${email && html` autofocus`}></label>
${showPasswordChoice}
<p><button>Sign in</button></p>
${codeAction && html`<p><button class="second" formaction="${codeAction}" formnovalidate>Email me a code instead</button></p>`}</form>
${passkey}
${providerLinks}
<p class="quiet"><a href="/reset">Forgot your password?</a></p>
<p class="quiet">New here? <a href="${pathWith(path, { view: 'signup', ...fields })}">Create an account</a></p>`,
  }
}

export const signUpPage = (content: FormContent): Page => {
  const { path, fields, providerLinks, email = '', fault } = content
  return {
    title: 'Create an account',
    hasPassword: true,
    status: fault?.status ?? 200,
    body: html`<h1>Create an account</h1>
${alert(fault)}
<form method="post" action="${path}/signup">${hidden(fields)}${emailField(email)}
${newPasswordFields('Password', { maxLength: 128, autofocus: email !== '' })}
<p><button>Create account</button></p></form>
${providerLinks}
<p class="quiet">Already have an account? <a href="${pathWith(path, fields)}">Sign in</a></p>`,
  }
}

/** @param autocomplete with `webauthn`, the browser also offers passkeys. */
const emailField = (email: string, autocomplete = 'username'): Html => html`
<label>Email
<input name="email" type="email" required minlength="5" maxlength="255" autocomplete="${autocomplete}" value="${email}"${!email && html` autofocus`}></label>`

/**
 * A form that the script of pages submits with the response of the authenticator.
 * @param options of `PasskeySignInService.pageOptions`.
 */
export const passkeyForm = (
  action: string,
  fields: FormFields,
  options: object | undefined,
): Html | undefined =>
  options &&
  html`<form method="post" action="${action}" data-passkey="${JSON.stringify(options)}" hidden>${hidden(fields)}
<input type="hidden" name="response">
<p><button class="second">Use a passkey</button></p></form>`

/** Asks for the second factor of a sign-in. */
export const codePage = (
  form: { action: string; fields: FormFields; startAgain?: string; passkey?: Html | undefined },
  fault?: PageError,
): Page => ({
  title: 'Enter your code',
  hasPasskey: form.passkey !== undefined,
  status: fault?.status ?? 200,
  body: html`<h1>Enter your code</h1>
<p class="quiet">Enter the code from your authenticator app, or a recovery code.</p>
${alert(fault)}
<form method="post" action="${form.action}">${hidden(form.fields)}
<label>Code
<input name="code" required maxlength="64" autocomplete="one-time-code" spellcheck="false" autofocus></label>
<p><button>Continue</button></p></form>
${form.passkey}
${form.startAgain && html`<p class="quiet"><a href="${form.startAgain}">Start again</a></p>`}`,
})

/** Asks for a code that was mailed. */
export const mailedCodePage = (
  form: { action: string; email: string; fields: FormFields; startAgain: string },
  fault?: PageError,
): Page => ({
  title: 'Check your email',
  status: fault?.status ?? 200,
  body: html`<h1>Check your email</h1>
<p class="quiet">If ${form.email} has an account, a code was sent to it. It works for ${MAILED_CODE_MINUTES} minutes.</p>
${alert(fault)}
<form method="post" action="${form.action}">${hidden(form.fields)}
<label>Code
<input name="code" required inputmode="numeric" maxlength="20" autocomplete="one-time-code" spellcheck="false" autofocus></label>
<p><button>Sign in</button></p></form>
<p class="quiet"><a href="${form.startAgain}">Start again</a></p>`,
})

/** A new password, typed twice. */
export const newPasswordFields = (
  label: string,
  { maxLength, autofocus = false }: { maxLength?: number; autofocus?: boolean } = {},
): Html => html`
<label>${label}
<input name="password" type="password" required minlength="8"${maxLength && html` maxlength="${maxLength}"`} autocomplete="new-password"${autofocus && html` autofocus`}></label>
<p class="note">At least 8 characters, and not one of the 10,000 most common passwords.</p>
<label>Repeat ${label.toLowerCase()}
<input name="confirm_password" type="password" required autocomplete="new-password"></label>
${showPasswordChoice}`

/** Hidden until the script of the page shows it. */
const showPasswordChoice: Html = html`
<label class="check" hidden><input type="checkbox" data-shows-password> Show characters</label>`
