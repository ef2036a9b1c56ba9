import { type Html, html, t } from '../../platform/http/html.ts'
import {
  alert,
  asPageError,
  type MountPage,
  nextStep,
  openConsole,
  type Page,
  type PageError,
} from '../../platform/http/page.ts'
import { formatUserCode, readUserCode } from '../access/device/service.ts'
import { type FailureCode, failureMessages } from '../sign-in/oauth/errors.ts'
import type { OAuthSignInService } from '../sign-in/oauth/service.ts'
import { type ReturnTo, setBrowserId } from '../sign-in/oauth/state.ts'
import { type PasskeySignInService, readPasskeyResponse } from '../sign-in/passkeys/sign-in.ts'
import type { SignInService } from '../sign-in/service.ts'
import { takePendingRequest } from './oauth-consent.ts'
import { codePage, passkeyForm, pathWith } from './sign-in-pages.ts'

const CALLBACK = '/auth/callback'

/** The page that begins a sign-in through a provider, and the page that ends one without an app. */
export const oauthSignInPages = (
  mountPage: MountPage,
  oauth: OAuthSignInService,
  signIns: SignInService,
  passkeySignIns: PasskeySignInService,
): void => {
  const secondFactor = (partial_token: string, fault?: PageError) => {
    const fields = { partial_token }
    const passkey = passkeyForm(`${CALLBACK}/passkey`, fields, passkeySignIns.pageOptions())
    return codePage({ action: CALLBACK, fields, passkey }, fault)
  }

  mountPage('GET', '/api/auth/oauth/:provider/start', async ({ params, query, cookie }) => {
    const browserId = setBrowserId(cookie)
    const { authorize_url } = await oauth.begin(
      params.provider ?? '',
      readReturnTo(query),
      browserId,
    )
    return authorize_url
  })

  mountPage('GET', CALLBACK, ({ query, cookie }) => {
    const error = query.get('error')
    if (error !== null) return failedPage(error, query)
    const partialToken = query.get('partial_token')
    return partialToken === null
      ? (takePendingRequest(cookie) ?? signedInPage(query.get('new') === '1'))
      : secondFactor(partialToken)
  })

  mountPage('POST', CALLBACK, async ({ form, client, refreshCookie }) => {
    const partial_token = form.get('partial_token') ?? ''
    try {
      const code = form.get('code') ?? ''
      const { refreshToken } = await signIns.verifyCode({ partial_token, code }, client)
      refreshCookie.set(refreshToken)
      return CALLBACK
    } catch (error) {
      return secondFactor(partial_token, asPageError(error))
    }
  })

  mountPage('POST', `${CALLBACK}/passkey`, async ({ form, client, refreshCookie }) => {
    const partial_token = form.get('partial_token') ?? ''
    try {
      const response = readPasskeyResponse(form.get('response'))
      const { refreshToken } = await passkeySignIns.verify({ partial_token, response }, client)
      refreshCookie.set(refreshToken)
      return CALLBACK
    } catch (error) {
      return secondFactor(partial_token, asPageError(error))
    }
  })
}

const readReturnTo = (query: URLSearchParams): ReturnTo => {
  const origin = query.get('frontend_origin')
  const code = query.get('user_code')
  return {
    ...(origin !== null && { origin }),
    ...(code !== null && { userCode: normalizeCode(code) }),
  }
}

const normalizeCode = (typed: string): string => {
  const code = readUserCode(typed).slice(0, 8)
  return code && formatUserCode(code)
}

const signedInPage = (isNew: boolean): Page => ({
  title: t`Signed in`,
  body: html`<h1>${t`Signed in`}</h1>
<p>${isNew ? t`Your account is ready.` : t`Welcome back.`} ${t`Return to your app, or continue here.`}</p>
${openConsole}`,
})

const failedPage = (error: string, query: URLSearchParams): Page => {
  const message =
    Object.entries(failureMessages).find(([code]) => code === error)?.[1] ??
    failureMessages.provider_error
  const code = query.get('user_code')
  return {
    title: t`Not signed in`,
    body: html`<h1>${t`Not signed in`}</h1>${alert({ status: 400, message })}
${code === null ? signInAgain(error) : retryLink(code)}`,
  }
}

/** The owner of an account connects a provider in the settings, signed in. */
const signInAgain = (error: string): Html =>
  error === ('not_connected' satisfies FailureCode)
    ? nextStep(pathWith('/signin', { next: '/app/settings/connections' }), t`Sign in to connect`)
    : html`<p>${t`Return to your app and sign in again.`}</p>${nextStep('/signin', t`Sign in`)}`

const retryLink = (code: string): Html =>
  html`<p><a href="${pathWith('/device', { user_code: normalizeCode(code) })}">${t`Try again`}</a></p>`
