import type { OAuthProvider } from '../../../shared/schemas/oauth.ts'
import {
  alert,
  asFault,
  type Html,
  html,
  type MountPage,
  type Page,
} from '../../platform/http/page.ts'
import { takeWaiting } from '../authorization/waiting.ts'
import { formatUserCode, readUserCode } from '../device/codes.ts'
import { codePage } from '../sessions/pages.ts'
import type { SessionService } from '../sessions/service.ts'
import { nameBrowser } from './cookie.ts'
import { failures } from './failure.ts'
import type { OAuthService, ReturnTo } from './service.ts'

const LANDING = '/auth/callback'

/** Where a browser sets out for a provider, and where it lands when no app of its own awaits it. */
export const oauthPages = (
  mountPage: MountPage,
  oauth: OAuthService,
  sessions: SessionService,
): void => {
  mountPage('GET', '/api/auth/oauth/:provider/start', async ({ params, query, cookie }) => {
    const browser = nameBrowser(cookie)
    const { authorize_url } = await oauth.begin(params.provider ?? '', returnToOf(query), browser)
    return authorize_url
  })

  mountPage('GET', LANDING, ({ query, cookie }) => {
    const error = query.get('error')
    if (error !== null) return failedPage(error, query)
    const partialToken = query.get('partial_token')
    return partialToken === null
      ? (takeWaiting(cookie) ?? signedInPage(query.get('new') === '1'))
      : codePage({ action: LANDING, fields: { partial_token: partialToken } })
  })

  mountPage('POST', LANDING, async ({ form, client, refreshCookie }) => {
    const partial_token = form.get('partial_token') ?? ''
    try {
      const code = form.get('code') ?? ''
      const { refreshToken } = await sessions.verifyCode({ partial_token, code }, client)
      refreshCookie.set(refreshToken)
      return LANDING
    } catch (error) {
      return codePage({ action: LANDING, fields: { partial_token } }, asFault(error))
    }
  })
}

const returnToOf = (query: URLSearchParams): ReturnTo => {
  const origin = query.get('frontend_origin')
  const code = query.get('user_code')
  return {
    ...(origin !== null && { origin }),
    ...(code !== null && { userCode: shown(code) }),
  }
}

const shown = (typed: string): string => {
  const code = readUserCode(typed).slice(0, 8)
  return code && formatUserCode(code)
}

const LABELS: Record<OAuthProvider, string> = { google: 'Google', github: 'GitHub', twitter: 'X' }

/** Ways past the password on a page that signs somebody in; `query` says where they come back to. */
export const providerLinks = (
  available: readonly OAuthProvider[],
  query: Record<string, string>,
): Html[] =>
  available.map(
    (name) =>
      html`<p><a href="/api/auth/oauth/${name}/start?${new URLSearchParams(query).toString()}">Continue with ${LABELS[name]}</a></p>`,
  )

const signedInPage = (isNew: boolean): Page => ({
  title: 'Signed in',
  body: html`<h1>Signed in</h1>
<p>${isNew ? 'Your account is ready.' : 'Welcome back.'} You can close this page.</p>`,
})

const failedPage = (error: string, query: URLSearchParams): Page => {
  const message =
    Object.entries(failures).find(([code]) => code === error)?.[1] ?? failures.provider_error
  const code = query.get('user_code')
  return {
    title: 'Not signed in',
    body: html`<h1>Not signed in</h1>${alert({ status: 400, message })}
${code !== null && html`<p><a href="/device?${new URLSearchParams({ user_code: shown(code) }).toString()}">Try again</a></p>`}`,
  }
}
