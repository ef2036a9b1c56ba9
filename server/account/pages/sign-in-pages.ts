import { MAILED_CODE_MINUTES } from '../../../shared/contract/mailed-codes.ts'
import type { SignUpPolicy } from '../../../shared/contract/sign-up.ts'
import { type Html, html, t } from '../../platform/http/html.ts'
import { alert, type Page, type PageError } from '../../platform/http/page.ts'

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
  /** Who can sign up. */
  signUp: SignUpPolicy
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
  const { signUp } = content
  return {
    title: t`Sign in`,
    hasPassword: true,
    hasPasskey: passkey !== undefined,
    status: fault?.status ?? 200,
    body: html`<h1>${t`Sign in`}</h1>
<p class="quiet">${purpose}</p>
${alert(fault)}
<form method="post" action="${path}/signin">${hidden(fields)}${emailField(email, 'username webauthn')}
<label>${t`Password`}
<input name="password" type="password" required autocomplete="current-password"${email && html` autofocus`}></label>
${showPasswordChoice}
<p><button>${t`Sign in`}</button></p>
${codeAction && html`<p><button class="second" formaction="${codeAction}" formnovalidate>${t`Email me a code instead`}</button></p>`}</form>
${passkey}
${providerLinks}
<p class="quiet"><a href="/reset">${t`Forgot your password?`}</a></p>
${signUp.mode !== 'closed' && html`<p class="quiet">${t`New here?`} <a href="${pathWith(path, { view: 'signup', ...fields })}">${t`Create an account`}</a></p>`}`,
  }
}

/** Who can sign up, if not everyone can. */
const signUpNote = ({ mode, has_domains: hasDomains }: SignUpPolicy): Html | undefined => {
  if (mode === 'invite' && hasDomains)
    return t`You need an invitation, or an address at a domain of this server.`
  if (mode === 'invite') return t`You need an invitation: use the address that was invited.`
  return hasDomains
    ? t`You need an address at a domain of this server, or an invitation.`
    : undefined
}

const signUpClosedPage = ({ path, fields, fault }: FormContent): Page => ({
  title: t`No new accounts`,
  status: fault?.status ?? 200,
  body: html`<h1>${t`No new accounts`}</h1>
<p>${t`This server takes no new accounts. Ask its operator for one.`}</p>
<p class="quiet">${t`Already have an account?`} <a href="${pathWith(path, fields)}">${t`Sign in`}</a></p>`,
})

export const signUpPage = (content: FormContent): Page => {
  const { path, fields, providerLinks, email = '', fault, signUp } = content
  if (signUp.mode === 'closed') return signUpClosedPage(content)
  const note = signUpNote(signUp)
  return {
    title: t`Create an account`,
    hasPassword: true,
    status: fault?.status ?? 200,
    body: html`<h1>${t`Create an account`}</h1>
${note && html`<p class="quiet">${note}</p>`}
${alert(fault)}
<form method="post" action="${path}/signup">${hidden(fields)}${emailField(email)}
${newPasswordFields(t`Password`, t`Repeat password`, { maxLength: 128, autofocus: email !== '' })}
<p><button>${t`Create account`}</button></p></form>
${providerLinks}
<p class="quiet">${t`Already have an account?`} <a href="${pathWith(path, fields)}">${t`Sign in`}</a></p>`,
  }
}

/** @param autocomplete with `webauthn`, the browser also offers passkeys. */
const emailField = (email: string, autocomplete = 'username'): Html => html`
<label>${t`Email`}
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
<p><button class="second">${t`Use a passkey`}</button></p></form>`

/** Asks for the second factor of a sign-in. */
export const codePage = (
  form: { action: string; fields: FormFields; startAgain?: string; passkey?: Html | undefined },
  fault?: PageError,
): Page => ({
  title: t`Enter your code`,
  hasPasskey: form.passkey !== undefined,
  status: fault?.status ?? 200,
  body: html`<h1>${t`Enter your code`}</h1>
<p class="quiet">${t`Enter the code from your authenticator app, or a recovery code.`}</p>
${alert(fault)}
<form method="post" action="${form.action}">${hidden(form.fields)}
<label>${t`Code`}
<input name="code" required maxlength="64" autocomplete="one-time-code" spellcheck="false" autofocus></label>
<p><button>${t`Continue`}</button></p></form>
${form.passkey}
${form.startAgain && html`<p class="quiet"><a href="${form.startAgain}">${t`Start again`}</a></p>`}`,
})

/** Asks for a code that was mailed. */
export const mailedCodePage = (
  form: { action: string; email: string; fields: FormFields; startAgain: string },
  fault?: PageError,
): Page => ({
  title: t`Check your email`,
  status: fault?.status ?? 200,
  body: html`<h1>${t`Check your email`}</h1>
<p class="quiet">${t`If ${form.email} has an account, a code was sent to it. It works for ${MAILED_CODE_MINUTES} minutes.`}</p>
${alert(fault)}
<form method="post" action="${form.action}">${hidden(form.fields)}
<label>${t`Code`}
<input name="code" required inputmode="numeric" maxlength="20" autocomplete="one-time-code" spellcheck="false" autofocus></label>
<p><button>${t`Sign in`}</button></p></form>
<p class="quiet"><a href="${form.startAgain}">${t`Start again`}</a></p>`,
})

/** A new password, typed twice. */
export const newPasswordFields = (
  label: Html,
  repeat: Html,
  { maxLength, autofocus = false }: { maxLength?: number; autofocus?: boolean } = {},
): Html => html`
<label>${label}
<input name="password" type="password" required minlength="8"${maxLength && html` maxlength="${maxLength}"`} autocomplete="new-password"${autofocus && html` autofocus`}></label>
<p class="note">${t`At least 8 characters, and not one of the 10,000 most common passwords.`}</p>
<label>${repeat}
<input name="confirm_password" type="password" required autocomplete="new-password"></label>
${showPasswordChoice}`

/** Hidden until the script of the page shows it. */
const showPasswordChoice: Html = html`
<label class="check" hidden><input type="checkbox" data-shows-password> ${t`Show characters`}</label>`
