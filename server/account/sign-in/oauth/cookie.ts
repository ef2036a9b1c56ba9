import type { CookieAt } from '../../../platform/http/cookies.ts'
import { createSecret } from '../../../platform/secrets.ts'
import { STATE_SECONDS } from './state.ts'

const NAME = 'oauth_browser'
const PATH = '/api/auth/oauth'

const browserCookie = (cookie: CookieAt) => cookie(NAME, PATH, STATE_SECONDS)

/**
 * Sets the cookie that ties a callback to the browser that began the sign-in. An existing value stays,
 * because another tab may use it.
 */
export const setBrowserId = (cookie: CookieAt): string => {
  const browser = browserCookie(cookie)
  const existing = /^[\w-]{43}$/.test(browser.value ?? '') ? browser.value : undefined
  const value = existing ?? createSecret()
  browser.set(value)
  return value
}

export const readBrowserId = (cookie: CookieAt): string | undefined => browserCookie(cookie).value
