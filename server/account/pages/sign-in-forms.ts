import { characterCount } from '../../../shared/contract/common.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { authLimit, type Limiter } from '../../platform/http/limits.ts'
import {
  asFault,
  type Fault,
  type Html,
  html,
  type MountPage,
  type Page,
  type PageCall,
} from '../../platform/http/page.ts'
import type { AuthenticationService } from '../access/sessions/authentication.ts'
import type { SessionService } from '../access/sessions/service.ts'
import { signInError } from '../sign-in/errors.ts'
import type { RegistrationService } from '../sign-in/registration.ts'
import type { SignInService } from '../sign-in/service.ts'
import { userError } from '../users/errors.ts'
import { codePage, type Fields, hidden, signInPage, signUpPage } from './sign-in-pages.ts'

/** The parts of the pages that require a signed-in user. */
export interface SignInFormDeps {
  registration: RegistrationService
  signIns: SignInService
  sessions: SessionService
  authentication: AuthenticationService
  limiter: Limiter
  /** The configured OAuth providers. */
  providers: readonly { name: string; label: string }[]
}

/** A page that requires a signed-in user. */
interface ProtectedPage {
  /** Must be below the path of the refresh cookie, so that the browser sends the cookie. */
  path: string
  /** Reads the parameters of the page from a query or a form. */
  readFields(params: URLSearchParams): Fields
  /** A sentence that says why the user must sign in. */
  purpose(fields: Fields): Html
  /**
   * The query of the links to OAuth providers, which leads back to the page. Without it there are no
   * links.
   */
  providerQuery?(fields: Fields): Fields
  /** After a sign-in, says so if the browser did not keep the cookie. */
  checksCookie?: boolean
}

export interface SignInForms {
  /**
   * The page for a user who is not signed in: the sign-in form; with `view=signup` the sign-up form;
   * with `partial_token` the form for the second factor.
   * @param email prefilled.
   */
  page(query: URLSearchParams, email?: string): Page
  callerOf(call: PageCall): Promise<Caller | undefined>
  /** Shows who is signed in, with a button that signs out. */
  signedInAs(caller: Caller, fields: Fields): Html
}

/** Mounts the forms that sign a user in, up or out and then lead to a protected page. */
export const createSignInForms = (
  mountPage: MountPage,
  deps: SignInFormDeps,
  protectedPage: ProtectedPage,
): SignInForms => {
  const { registration, signIns, sessions, authentication, limiter, providers } = deps
  const { path, readFields } = protectedPage
  const pathWith = (fields: Fields) => `${path}?${new URLSearchParams(fields)}`
  const signedInPath = (fields: Fields) =>
    pathWith({ ...fields, ...(protectedPage.checksCookie && { [SIGNED_IN]: '1' }) })

  const content = (fields: Fields, email?: string, fault?: Fault) => {
    const query = protectedPage.providerQuery?.(fields)
    return {
      path,
      fields,
      purpose: protectedPage.purpose(fields),
      providerLinks: query ? providers.map((provider) => providerLink(provider, query)) : [],
      email,
      fault,
    }
  }

  const codeStep = (fields: Fields, partial_token: string, fault?: Fault): Page => {
    const form = { action: `${path}/verify`, fields: { ...fields, partial_token } }
    return codePage({ ...form, startAgain: pathWith(fields) }, fault)
  }

  mountPage('POST', `${path}/signin`, async ({ form, client, refreshCookie }) => {
    const fields = readFields(form)
    const email = form.get('email') ?? ''
    const password = form.get('password') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      const { response, refreshToken } = await signIns.signIn({ email, password }, client)
      if (refreshToken === undefined) return codeStep(fields, response.partial_token)
      refreshCookie.set(refreshToken)
      return signedInPath(fields)
    } catch (error) {
      return signInPage(content(fields, email, asFault(error)))
    }
  })

  mountPage('POST', `${path}/verify`, async ({ form, client, refreshCookie }) => {
    const fields = readFields(form)
    const partial_token = form.get('partial_token') ?? ''
    try {
      const code = form.get('code') ?? ''
      const { refreshToken } = await signIns.verifyCode({ partial_token, code }, client)
      refreshCookie.set(refreshToken)
      return signedInPath(fields)
    } catch (error) {
      return codeStep(fields, partial_token, asFault(error))
    }
  })

  mountPage('POST', `${path}/signup`, async ({ form, client, refreshCookie }) => {
    const fields = readFields(form)
    const email = form.get('email') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      const { refreshToken } = await registration.signUp(readSignUp(form), client)
      refreshCookie.set(refreshToken)
      return signedInPath(fields)
    } catch (error) {
      return signUpPage(content(fields, email, asFault(error)))
    }
  })

  mountPage('POST', `${path}/signout`, async ({ form, refreshCookie }) => {
    await sessions.signOut(refreshCookie.value)
    refreshCookie.clear()
    return pathWith(readFields(form))
  })

  return {
    page(query, email) {
      const fields = readFields(query)
      const partialToken = query.get('partial_token')
      if (partialToken !== null) return codeStep(fields, partialToken)
      const fault = query.has(SIGNED_IN) ? signInError('cookie_not_kept') : undefined
      return (query.get('view') === 'signup' ? signUpPage : signInPage)(
        content(fields, email, fault),
      )
    },

    callerOf: ({ refreshCookie }) => authentication.callerOfCookie(refreshCookie.value),

    signedInAs: (caller, fields) => html`
<form method="post" action="${path}/signout">${hidden(fields)}
<p class="quiet">Signed in as ${caller.me.email}. <button class="link">Sign out</button></p></form>`,
  }
}

/** Marks the redirect after a sign-in: without the cookie there, the browser did not keep it. */
const SIGNED_IN = 'signed_in'

const providerLink = ({ name, label }: SignInFormDeps['providers'][number], query: Fields): Html =>
  html`<p><a href="/api/auth/oauth/${name}/start?${new URLSearchParams(query).toString()}">Continue with ${label}</a></p>`

/** @throws ApiError 400 for lengths that the API refuses with 422. */
const readSignUp = (form: URLSearchParams) => {
  const email = form.get('email') ?? ''
  const password = form.get('password') ?? ''
  const [emailLength, passwordLength] = [characterCount(email.trim()), characterCount(password)]
  if (emailLength < 5 || emailLength > 255) throw userError('invalid_email')
  if (passwordLength < 8 || passwordLength > 128) throw signInError('password_length')
  return { email, password, confirm_password: form.get('confirm_password') ?? '' }
}
