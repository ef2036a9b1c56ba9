import type { Static } from '@sinclair/typebox'
import type { Credential } from '../../../shared/contract/endpoint.ts'
import { type EmailNotVerified, errorText } from '../../../shared/errors.ts'
import type { Authenticate, Caller } from './caller.ts'
import { ApiError } from './error.ts'

export const API_KEY_PREFIX = 'svc_'

/**
 * Finds the caller of a request (contract 5.1). What `X-API-Key` carries is an API key, and so is a
 * bearer with the key prefix. They are in the time zone that the request names.
 * @throws ApiError 401 without a good credential, 403 for an API key where only a person may act, or
 * for an organization that the caller is not a member of.
 */
export const identify = async (
  headers: Headers,
  credential: Credential,
  authenticate: Authenticate,
  /** The `token` of the query, where the endpoint takes one; a header goes before it. */
  queryToken?: string | null,
): Promise<Caller> => {
  const caller = await callerIn(headers, credential, authenticate, queryToken)
  const timezone = headers.get('x-timezone')
  return timezone && timezone !== caller.timezone
    ? authenticate.inTimezone(caller, timezone)
    : caller
}

const callerIn = async (
  headers: Headers,
  credential: Credential,
  authenticate: Authenticate,
  queryToken: string | null | undefined,
): Promise<Caller> => {
  const given = bearerToken(headers.get('authorization'))
  const bearer = given ?? (headers.has('x-api-key') ? undefined : queryToken?.trim() || undefined)
  const token = bearer ?? headers.get('x-api-key')?.trim()
  if (!token) throw new ApiError(401, errorText.badCredentials)
  const org = headers.get('x-org-id')?.trim() || null
  if (bearer === undefined || token.startsWith(API_KEY_PREFIX)) {
    const caller = await authenticate.apiKey(token, org)
    if (credential !== 'bearer')
      throw new ApiError(403, 'An API key cannot manage the account; sign in instead')
    return caller
  }
  return authenticate.accessToken(token, org)
}

/** @throws ApiError 403 for a caller who has yet to verify their email address (contract 7.4). */
export const checkVerified = (caller: Caller): void => {
  if (caller.me.email_verified) return
  const detail: Static<typeof EmailNotVerified> = {
    error: 'email_not_verified',
    message:
      'Verify your email address first: open the link that was mailed to you, or ask for another with POST /api/auth/resend-verification',
  }
  throw new ApiError(403, detail)
}

/**
 * A key that is made for an organization is no admin's, whoever made it.
 * @throws ApiError 403 for a caller who is no admin (contract 7.4).
 */
export const checkAdmin = (caller: Caller): void => {
  if (!caller.me.is_admin || caller.isForOrg) throw new ApiError(403, errorText.adminOnly)
}

const bearerToken = (header: string | null): string | undefined => {
  const [scheme, token] = header?.trim().split(/\s+/) ?? []
  return scheme?.toLowerCase() === 'bearer' ? token : undefined
}
