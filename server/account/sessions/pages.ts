import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import {
  alert,
  asFault,
  type Fault,
  type Html,
  html,
  type MountPage,
  type Page,
} from '../../platform/http/page.ts'
import { newPasswordFields } from '../password/fields.ts'
import type { SessionService } from './service.ts'

/** What a page is asked for, kept through the forms in front of it. */
export type Fields = Record<string, string>

/** A page that needs somebody signed in. */
export interface GuardedPage {
  /** Under the refresh cookie's path, so that the browser sends it. */
  path: string
  /** Reads its fields from a query or a form. */
  fieldsOf(given: URLSearchParams): Fields
  /** Says what signing in is for. */
  purpose(fields: Fields): Html
  /** Ways in beside a password. */
  otherWays?(fields: Fields): Html[]
}

export interface SignInForms {
  /**
   * What a stranger is shown: the sign-in form; with `view=signup` the sign-up form; with
   * `partial_token` the second step.
   * @param email is filled in, where it is known who is meant.
   */
  page(query: URLSearchParams, email?: string): Page
  /** Says who is signed in, with a way to be somebody else. */
  signedInAs(caller: Caller, fields: Fields): Html
}

/** Mounts the forms that sign somebody in (or up, or out) and then go on to a page. */
export const signInForms = (
  mountPage: MountPage,
  sessions: SessionService,
  limits: Limits,
  guarded: GuardedPage,
): SignInForms => {
  const { path, fieldsOf, purpose } = guarded
  const pathWith = (fields: Fields) => `${path}?${new URLSearchParams(fields)}`

  mountPage('POST', `${path}/signin`, async ({ form, client, refreshCookie }) => {
    const fields = fieldsOf(form)
    const email = form.get('email') ?? ''
    const password = form.get('password') ?? ''
    try {
      await limits.auth(client.ip)
      const { answer, refreshToken } = await sessions.signIn({ email, password }, client)
      if (refreshToken === undefined) return codeStep(fields, answer.partial_token)
      refreshCookie.set(refreshToken)
      return pathWith(fields)
    } catch (error) {
      return signInPage(fields, email, asFault(error))
    }
  })

  mountPage('POST', `${path}/verify`, async ({ form, client, refreshCookie }) => {
    const fields = fieldsOf(form)
    const partial_token = form.get('partial_token') ?? ''
    try {
      const code = form.get('code') ?? ''
      const { refreshToken } = await sessions.verifyCode({ partial_token, code }, client)
      refreshCookie.set(refreshToken)
      return pathWith(fields)
    } catch (error) {
      return codeStep(fields, partial_token, asFault(error))
    }
  })

  mountPage('POST', `${path}/signup`, async ({ form, client, refreshCookie }) => {
    const fields = fieldsOf(form)
    const email = form.get('email') ?? ''
    try {
      await limits.auth(client.ip)
      const { refreshToken } = await sessions.signUp(readSignUp(form), client)
      refreshCookie.set(refreshToken)
      return pathWith(fields)
    } catch (error) {
      return signUpPage(fields, email, asFault(error))
    }
  })

  mountPage('POST', `${path}/signout`, async ({ form, refreshCookie }) => {
    await sessions.signOut(refreshCookie.value)
    refreshCookie.clear()
    return pathWith(fieldsOf(form))
  })

  const signInPage = (fields: Fields, email = '', fault?: Fault): Page => ({
    title: 'Sign in',
    status: fault?.status ?? 200,
    body: html`<h1>Sign in</h1>
<p class="quiet">${purpose(fields)}</p>
${alert(fault)}
<form method="post" action="${path}/signin">${hidden(fields)}${credentials(email, false)}
<p><button>Sign in</button></p></form>
${guarded.otherWays?.(fields)}
<p class="quiet"><a href="/reset">Forgot your password?</a></p>
<p class="quiet">New here? <a href="${pathWith({ view: 'signup', ...fields })}">Create an account</a></p>`,
  })

  const signUpPage = (fields: Fields, email = '', fault?: Fault): Page => ({
    title: 'Create an account',
    status: fault?.status ?? 200,
    body: html`<h1>Create an account</h1>
${alert(fault)}
<form method="post" action="${path}/signup">${hidden(fields)}${credentials(email, true)}
<p><button>Create account</button></p></form>
${guarded.otherWays?.(fields)}
<p class="quiet">Have one? <a href="${pathWith(fields)}">Sign in</a></p>`,
  })

  const codeStep = (fields: Fields, partial_token: string, fault?: Fault): Page =>
    codePage(
      {
        action: `${path}/verify`,
        fields: { ...fields, partial_token },
        startAgain: pathWith(fields),
      },
      fault,
    )

  const strangersPage = (query: URLSearchParams, email?: string): Page => {
    const fields = fieldsOf(query)
    const partialToken = query.get('partial_token')
    if (partialToken !== null) return codeStep(fields, partialToken)
    return query.get('view') === 'signup' ? signUpPage(fields, email) : signInPage(fields, email)
  }

  return {
    page: strangersPage,
    signedInAs: (caller, fields) => html`
<form method="post" action="${path}/signout">${hidden(fields)}
<p class="quiet">Signed in as ${caller.me.email}. <button class="link">Not you?</button></p></form>`,
  }
}

/** Asks for the second factor of a sign-in that waits for it. */
export const codePage = (
  form: { action: string; fields: Fields; startAgain?: string },
  fault?: Fault,
): Page => ({
  title: 'One more step',
  status: fault?.status ?? 200,
  body: html`<h1>One more step</h1>
<p class="quiet">Type the code of your authenticator app, or a recovery code.</p>
${alert(fault)}
<form method="post" action="${form.action}">${hidden(form.fields)}
<label>Code
<input name="code" required maxlength="64" autocomplete="one-time-code" spellcheck="false" autofocus></label>
<p><button>Continue</button></p></form>
${form.startAgain && html`<p class="quiet"><a href="${form.startAgain}">Start again</a></p>`}`,
})

export const hidden = (fields: Fields): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )

/** @throws ApiError 400 for lengths that the API answers 422. */
const readSignUp = (form: URLSearchParams) => {
  const email = form.get('email') ?? ''
  const password = form.get('password') ?? ''
  if (email.trim().length < 5 || email.trim().length > 255)
    throw new ApiError(400, 'Invalid email address')
  if (password.length < 8 || password.length > 128)
    throw new ApiError(400, 'The password must have 8-128 characters')
  return { email, password, confirm_password: form.get('confirm_password') ?? '' }
}

const credentials = (email: string, newPassword: boolean): Html => html`
<label>Email
<input name="email" type="email" required minlength="5" maxlength="255" autocomplete="username" value="${email}"${!email && html` autofocus`}></label>
${
  newPassword
    ? newPasswordFields('Password', { maxLength: 128, autofocus: email !== '' })
    : html`<label>Password
<input name="password" type="password" required autocomplete="current-password"${email && html` autofocus`}></label>`
}`
