import { characterCount } from '../../../shared/contract/common.ts'
import type { SignUpPolicy } from '../../../shared/contract/sign-up.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { CookieAt } from '../../platform/http/cookies.ts'
import { type Html, html, t } from '../../platform/http/html.ts'
import { authLimit, type Limiter } from '../../platform/http/limits.ts'
import {
  asPageError,
  type MountPage,
  type Page,
  type PageCall,
  type PageError,
} from '../../platform/http/page.ts'
import type { AuthenticationService } from '../access/sessions/authentication.ts'
import type { SessionService } from '../access/sessions/service.ts'
import { signInError } from '../sign-in/errors.ts'
import { CODE_PATH, type MailedCodeService } from '../sign-in/mailed-codes/service.ts'
import type { PasskeySignInService } from '../sign-in/passkeys/sign-in.ts'
import { readPasskeyResponse } from '../sign-in/passkeys/sign-in.ts'
import type { RegistrationService } from '../sign-in/registration.ts'
import type { SignInService } from '../sign-in/service.ts'
import type { SignUpPolicyService } from '../sign-in/sign-up-policy.ts'
import { userError } from '../users/errors.ts'
import {
  codePage,
  type FormContent,
  type FormFields,
  hidden,
  mailedCodePage,
  passkeyForm,
  pathWith,
  signInPage,
  signUpPage,
} from './sign-in-pages.ts'

/** The parts of the pages that require a signed-in user. */
export interface SignInFormDeps {
  registration: RegistrationService
  signUpPolicy: Pick<SignUpPolicyService, 'read'>
  signIns: SignInService
  passkeySignIns: PasskeySignInService
  mailedCodes: MailedCodeService
  /** Whether codes reach people: without a mail server only the operator could read them. */
  offersCodes(): boolean
  sessions: SessionService
  authentication: AuthenticationService
  limiter: Limiter
  /** The OAuth providers that are configured now. */
  listProviders(): readonly { name: string; label: string }[]
}

/** A page that requires a signed-in user. */
interface ProtectedPage {
  /** Must be below the path of the refresh cookie, so that the browser sends the cookie. */
  path: string
  /** Reads the parameters of the page from a query or a form. */
  readFields(params: URLSearchParams): FormFields
  /** A sentence that says why the user must sign in. */
  purpose(fields: FormFields): Html
  /**
   * The query of the links to OAuth providers, which leads back to the page. Without it there are no
   * links.
   */
  providerQuery?(fields: FormFields): FormFields
  /** Whether the operator lets a person sign up here although the server takes no new accounts. */
  admits?(fields: FormFields): Promise<boolean>
  /** After a sign-in, says so if the browser did not keep the cookie. */
  checksCookie?: boolean
}

export type SignInForms = ReturnType<typeof createSignInForms>

/** Mounts the forms that sign a user in, up or out and then lead to a protected page. */
export const createSignInForms = (
  mountPage: MountPage,
  deps: SignInFormDeps,
  protectedPage: ProtectedPage,
) => {
  const { path, readFields } = protectedPage
  const steps = createSteps(protectedPage, deps)
  mountForms(mountPage, deps, protectedPage, steps)
  mountMailedCodeForms(mountPage, deps, protectedPage, steps)
  return {
    /**
     * The page for a user who is not signed in: the sign-in form; with `view=signup` the sign-up form;
     * with `partial_token` the form for the second factor.
     * @param email prefilled.
     */
    page(query: URLSearchParams, email?: string): Page {
      const fields = readFields(query)
      const partialToken = query.get('partial_token')
      if (partialToken !== null) return steps.code(fields, partialToken)
      const fault = query.has(SIGNED_IN) ? signInError('cookie_not_kept') : undefined
      return (query.get('view') === 'signup' ? steps.signUp : steps.signIn)(fields, email, fault)
    },

    callerOf: ({ refreshCookie }: PageCall): Promise<Caller | undefined> =>
      deps.authentication.callerOfCookie(refreshCookie.value),

    /** Shows who is signed in, with a button that signs out. */
    signedInAs: (caller: Caller, fields: FormFields): Html => html`
<form method="post" action="${path}/signout">${hidden(fields)}
<p class="quiet">${t`Signed in as ${caller.me.email}.`} <button class="link">${t`Sign out`}</button></p></form>`,
  }
}

/** The pages in front of a protected page. */
type Steps = ReturnType<typeof createSteps>

/** A page that admits people shows the form; its POST decides. */
const OPEN: SignUpPolicy = { mode: 'open', has_domains: false }

const createSteps = (
  { path, purpose, providerQuery, admits }: ProtectedPage,
  {
    listProviders,
    passkeySignIns,
    offersCodes,
    signUpPolicy,
  }: Pick<SignInFormDeps, 'listProviders' | 'passkeySignIns' | 'offersCodes' | 'signUpPolicy'>,
) => {
  const passkey = (fields: FormFields) =>
    passkeyForm(`${path}/passkey`, fields, passkeySignIns.pageOptions())
  const content = (fields: FormFields, email?: string, fault?: PageError): FormContent => {
    const query = providerQuery?.(fields)
    return {
      path,
      fields,
      purpose: purpose(fields),
      providerLinks: query ? listProviders().map((provider) => providerLink(provider, query)) : [],
      passkey: passkey(fields),
      signUp: admits ? OPEN : signUpPolicy.read(),
      codeAction: offersCodes() ? `${path}/mail-code` : undefined,
      email,
      fault,
    }
  }
  return {
    signIn: (fields: FormFields, email?: string, fault?: PageError): Page =>
      signInPage(content(fields, email, fault)),
    signUp: (fields: FormFields, email?: string, fault?: PageError): Page =>
      signUpPage(content(fields, email, fault)),
    /** The form for a mailed code. */
    mailedCode(
      fields: FormFields,
      { attempt_token, email }: MailedCodeForm,
      fault?: PageError,
    ): Page {
      const form = {
        action: `${path}/mailed-code`,
        email,
        fields: { ...fields, attempt_token, email },
        startAgain: pathWith(path, fields),
      }
      return mailedCodePage(form, fault)
    },
    /** The form for the second factor. */
    code(fields: FormFields, partial_token: string, fault?: PageError): Page {
      const codeFields = { ...fields, partial_token }
      const form = { action: `${path}/verify`, fields: codeFields, passkey: passkey(codeFields) }
      return codePage({ ...form, startAgain: pathWith(path, fields) }, fault)
    },
  }
}

/** Where a form goes on that has signed in. */
const signedInPath = (
  { path, checksCookie }: Pick<ProtectedPage, 'path' | 'checksCookie'>,
  fields: FormFields,
): string => pathWith(path, { ...fields, ...(checksCookie && { [SIGNED_IN]: '1' }) })

const mountForms = (
  mountPage: MountPage,
  { registration, signIns, passkeySignIns, sessions, limiter }: SignInFormDeps,
  page: ProtectedPage,
  steps: Steps,
): void => {
  const { path, readFields, admits } = page

  mountPage('POST', `${path}/signin`, async ({ form, client, refreshCookie }) => {
    const fields = readFields(form)
    const email = form.get('email') ?? ''
    const password = form.get('password') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      const { response, refreshToken } = await signIns.signIn({ email, password }, client)
      if (refreshToken === undefined) return steps.code(fields, response.partial_token)
      refreshCookie.set(refreshToken)
      return signedInPath(page, fields)
    } catch (error) {
      return steps.signIn(fields, email, asPageError(error))
    }
  })

  mountPage('POST', `${path}/verify`, async ({ form, client, refreshCookie }) => {
    const fields = readFields(form)
    const partial_token = form.get('partial_token') ?? ''
    try {
      const code = form.get('code') ?? ''
      const { refreshToken } = await signIns.verifyCode({ partial_token, code }, client)
      refreshCookie.set(refreshToken)
      return signedInPath(page, fields)
    } catch (error) {
      return steps.code(fields, partial_token, asPageError(error))
    }
  })

  mountPage('POST', `${path}/passkey`, async ({ form, client, refreshCookie }) => {
    const fields = readFields(form)
    const partial_token = form.get('partial_token')
    try {
      const response = readPasskeyResponse(form.get('response'))
      const { refreshToken } =
        partial_token === null
          ? await passkeySignIns.signIn(response, client)
          : await passkeySignIns.verify({ partial_token, response }, client)
      refreshCookie.set(refreshToken)
      return signedInPath(page, fields)
    } catch (error) {
      const fault = asPageError(error)
      return partial_token === null
        ? steps.signIn(fields, undefined, fault)
        : steps.code(fields, partial_token, fault)
    }
  })

  mountPage('POST', `${path}/signup`, async ({ form, client, refreshCookie }) => {
    const fields = readFields(form)
    const email = form.get('email') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      const admission = (await admits?.(fields)) ? 'operator' : 'person'
      const { refreshToken } = await registration.signUp(readSignUp(form), client, admission)
      refreshCookie.set(refreshToken)
      return signedInPath(page, fields)
    } catch (error) {
      return steps.signUp(fields, email, asPageError(error))
    }
  })

  mountPage('POST', `${path}/signout`, async ({ form, refreshCookie }) => {
    await sessions.signOut(refreshCookie.value)
    refreshCookie.clear()
    return pathWith(path, readFields(form))
  })
}

const mountMailedCodeForms = (
  mountPage: MountPage,
  { mailedCodes, limiter }: Pick<SignInFormDeps, 'mailedCodes' | 'limiter'>,
  page: ProtectedPage,
  steps: Steps,
): void => {
  const { path, readFields } = page

  mountPage('POST', `${path}/mail-code`, async ({ form, client, cookie }) => {
    const fields = readFields(form)
    const email = form.get('email') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      const { attempt_token, expires_in } = await mailedCodes.request(email)
      attemptCookie(cookie, expires_in).set(attempt_token)
      return steps.mailedCode(fields, { attempt_token, email })
    } catch (error) {
      return steps.signIn(fields, email, asPageError(error))
    }
  })

  mountPage('POST', `${path}/mailed-code`, async ({ form, client, cookie, refreshCookie }) => {
    const fields = readFields(form)
    const attempt_token = form.get('attempt_token') ?? ''
    const email = form.get('email') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      const body = { attempt_token, code: form.get('code') ?? '' }
      const { response, refreshToken } = await mailedCodes.signIn(body, client)
      attemptCookie(cookie).clear()
      if (refreshToken === undefined) return steps.code(fields, response.partial_token)
      refreshCookie.set(refreshToken)
      return signedInPath(page, fields)
    } catch (error) {
      return steps.mailedCode(fields, { attempt_token, email }, asPageError(error))
    }
  })
}

/** A request for a code, and the address that it was mailed to. */
interface MailedCodeForm {
  attempt_token: string
  email: string
}

/** Binds the link of a mailed code to the browser that asked. */
export const attemptCookie = (cookie: CookieAt, maxAgeSeconds = 0) =>
  cookie('sign_in_attempt', CODE_PATH, maxAgeSeconds)

/** Marks the redirect after a sign-in: without the cookie there, the browser did not keep it. */
const SIGNED_IN = 'signed_in'

const providerLink = ({ name, label }: { name: string; label: string }, query: FormFields): Html =>
  html`<p><a href="/api/auth/oauth/${name}/start?${new URLSearchParams(query).toString()}">${t`Continue with ${label}`}</a></p>`

/** @throws ApiError 400 for lengths that the API refuses with 422. */
const readSignUp = (form: URLSearchParams) => {
  const email = form.get('email') ?? ''
  const password = form.get('password') ?? ''
  const [emailLength, passwordLength] = [characterCount(email.trim()), characterCount(password)]
  if (emailLength < 5 || emailLength > 255) throw userError('invalid_email')
  if (passwordLength < 8 || passwordLength > 128) throw signInError('password_length')
  return { email, password, confirm_password: form.get('confirm_password') ?? '' }
}
