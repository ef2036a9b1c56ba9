import { randomBytes } from 'node:crypto'
import type { CookieAt } from '../../platform/http/route.ts'
import { STATE_SECONDS } from './state.ts'

const NAME = 'oauth_browser'
const PATH = '/api/auth/oauth'

const cookieOf = (cookie: CookieAt) => cookie(NAME, PATH, STATE_SECONDS)

/** The browser's name while it is away at a provider; it keeps the one it has, for other tabs. */
export const nameBrowser = (cookie: CookieAt): string => {
  const kept = cookieOf(cookie)
  const name = /^[\w-]{43}$/.test(kept.value ?? '') ? kept.value : undefined
  const value = name ?? randomBytes(32).toString('base64url')
  kept.set(value)
  return value
}

export const browserName = (cookie: CookieAt): string | undefined => cookieOf(cookie).value
