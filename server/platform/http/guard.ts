import type { Static } from '@sinclair/typebox'
import { isUuid } from '../../../shared/contract/common.ts'
import type { CredentialRequirement, Endpoint } from '../../../shared/contract/endpoint.ts'
import { actsInOrg, usesOrg } from '../../../shared/contract/organization-policies.ts'
import { hasScope, reachesOthers, scopeOf } from '../../../shared/contract/scopes.ts'
import type { EmailNotVerified } from '../../../shared/errors.ts'
import type { Authenticate, Caller } from './caller.ts'
import type { RequestClient } from './context.ts'
import { httpError } from './error.ts'

export const API_KEY_PREFIX = 'svc_'

/** Where a credential comes from, beside the headers. */
export interface RequestOrigin {
  client: Pick<RequestClient, 'ip'>
  /** The access token in the query (`token`) of an endpoint that accepts it. Headers take precedence. */
  queryToken?: string | null | undefined
}

/**
 * Finds the caller of a request (contract 5.1) and stores the time zone of `X-Timezone`. The value of
 * `X-API-Key` is an API key, and so is a bearer token with the key prefix.
 * @throws ApiError 401 without a valid credential, 403 for an API key on an endpoint that requires a
 * session, or for an organization that the caller is not a member of.
 */
export const identify = async (
  headers: Headers,
  credential: CredentialRequirement,
  authenticate: Authenticate,
  from: RequestOrigin,
): Promise<Caller> => {
  const caller = await findCaller(headers, credential, authenticate, from)
  const timezone = headers.get('x-timezone')
  return timezone && timezone !== caller.timezone
    ? authenticate.inTimezone(caller, timezone)
    : caller
}

const findCaller = async (
  headers: Headers,
  credential: CredentialRequirement,
  authenticate: Authenticate,
  { client, queryToken }: RequestOrigin,
): Promise<Caller> => {
  const bearer =
    bearerToken(headers.get('authorization')) ??
    (headers.has('x-api-key') ? undefined : accessTokenIn(queryToken))
  const token = bearer ?? headers.get('x-api-key')?.trim()
  if (!token) throw httpError('missing_credential')
  const org = headers.get('x-org-id')?.trim() || null
  if (bearer === undefined || token.startsWith(API_KEY_PREFIX)) {
    const caller = await authenticate.apiKey(token, org, () => client.ip)
    if (credential !== 'bearer') throw httpError('api_key_cannot_manage_account')
    return caller
  }
  return authenticate.accessToken(token, org)
}

/** @throws ApiError 403 for a caller whose email address is not verified (contract 7.4). */
export const checkVerified = (caller: Caller): void => {
  if (caller.me.email_verified) return
  const detail: Static<typeof EmailNotVerified> = {
    error: 'email_not_verified',
    message:
      'Verify your email address first. To get a link, open /app/settings/email on this server, or run: svc verify --resend',
  }
  throw httpError('email_not_verified', detail)
}

/**
 * A credential of an organization has no admin rights, even if an admin created it.
 * @throws ApiError 403 for a caller who is not an admin (contract 7.4).
 */
export const checkAdmin = (caller: Caller): void => {
  if (!caller.me.is_admin || caller.isForOrg) throw httpError('not_an_admin')
}

/**
 * Ends what began in another workspace: without `X-Org-ID`, a credential acts in the default organization, which can
 * change while a stream is open. @throws ApiError 403.
 */
export const checkWorkspace = (before: Caller | undefined, now: Caller | undefined): void => {
  if (before?.ownerId !== now?.ownerId) throw httpError('workspace_changed')
}

/** @throws ApiError 403 for a credential that falls short of the policies of the organization that it acts in. */
export const checkOwnPolicies = ({ refusal }: Caller): void => {
  if (refusal) throw httpError('org_policy', refusal)
}

/**
 * Checks the policies of the organization that a request uses: the one that it acts in, or the one in its path.
 * A member may always leave.
 * @throws ApiError 403 `org_policy`.
 */
export const checkPolicies = async (
  caller: Caller,
  row: Pick<Endpoint, 'name' | 'path' | 'tag'>,
  params: Partial<Record<string, string>> | undefined,
  authenticate: Pick<Authenticate, 'checkPolicies'>,
): Promise<void> => {
  if (actsInOrg(row)) checkOwnPolicies(caller)
  if (!usesOrg(row)) return
  const { org_id, user_id } = params ?? {}
  if (!org_id || !isUuid(org_id)) return
  if (row.name === 'removeOrgMember' && user_id?.toLowerCase() === caller.userId) return
  await authenticate.checkPolicies(caller, org_id)
}

/** @throws ApiError 403 for a credential without the scope that an endpoint requires. */
export const checkScope = (caller: Caller, row: Parameters<typeof scopeOf>[0]): void => {
  const required = scopeOf(row)
  // Rows without a scope end or narrow the caller itself, which is the user and not the admin.
  const isAllowed = required ? hasScope(caller.scopes, required) : row.method === 'GET'
  if (caller.me.impersonation && (!isAllowed || reachesOthers(row)))
    throw httpError('impersonation_limited')
  if (required && !hasScope(caller.scopes, required)) throw httpError('scope_missing', required)
  // Rows without a scope show the account, or create a key.
  if (caller.isApp && !required) throw httpError('scope_missing', 'account')
}

/** URLs end up in logs and histories, and API keys do not expire, so a URL carries none (contract 5.1). */
const accessTokenIn = (queryToken: string | null | undefined): string | undefined => {
  const token = queryToken?.trim()
  return token && !token.startsWith(API_KEY_PREFIX) ? token : undefined
}

/** The token of an `Authorization` header. The scheme is case-insensitive (RFC 9110, section 11.1). */
export const bearerToken = (header: string | null): string | undefined => {
  const [scheme, token] = header?.trim().split(/\s+/) ?? []
  return scheme?.toLowerCase() === 'bearer' ? token : undefined
}
