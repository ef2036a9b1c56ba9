import { authorizeOAuthClient } from '../../../shared/contract/index.ts'
import type { CookieAt } from '../../platform/http/cookies.ts'
import type { RequestFields } from '../access/oauth-server/request.ts'

const SECONDS = 600
/** Browsers limit a cookie to about 4,000 characters. */
const MAX_LENGTH = 3_000

/** Sent only to the page that follows a sign-in through an OAuth provider. */
const pendingCookie = (cookie: CookieAt) =>
  cookie('pending_authorization', '/auth/callback', SECONDS)

/** Saves an authorization request while the user signs in through an OAuth provider. */
export const savePendingRequest = (cookie: CookieAt, fields: RequestFields): void => {
  const text = Buffer.from(new URLSearchParams(fields).toString()).toString('base64url')
  if (text.length <= MAX_LENGTH) pendingCookie(cookie).set(text)
}

/** Removes the saved request. @returns the URL of its consent page, or undefined. */
export const takePendingRequest = (cookie: CookieAt): string | undefined => {
  const pending = pendingCookie(cookie)
  if (!pending.value) return undefined
  pending.clear()
  return `${authorizeOAuthClient.path}?${Buffer.from(pending.value, 'base64url').toString()}`
}
