import { isUuid } from '../../../shared/contract/common.ts'
import type { ApiKey } from '../../../shared/contract/keys.ts'
import type { Scope } from '../../../shared/contract/scopes.ts'
import type { Impersonation, Me } from '../../../shared/contract/sessions.ts'
import type { Caller, Proof } from '../../platform/http/caller.ts'
import { commonError } from '../../platform/http/error.ts'
import { type PolicyFacts, refusalOf, shortfallOf } from '../organizations/policies/shortfall.ts'
import type { UserRow } from '../users/table.ts'
import { type IsAdmin, presentCurrentUser } from '../users/user.ts'

/** @returns the id in `X-Org-ID`, or null when the header is missing or is no UUID. */
export const parseOrgId = (header: string | null): string | null =>
  header && isUuid(header) ? header : null

/** The membership that a request acts by. */
export type OrgContext = Omit<NonNullable<Me['org']>, 'missing'>

/** The columns of an outer join with an organization and a membership. */
type JoinedOrg = { [column in keyof OrgContext]: OrgContext[column] | null }

/** @returns null when the join found no membership. */
export const orgContextOf = (org: JoinedOrg | null): OrgContext | null =>
  org?.id && org.role ? { id: org.id, name: org.name ?? '', role: org.role } : null

/**
 * Resolves the owner of the memories that a request is about: its organization, or the user.
 * @throws ApiError 403 when `X-Org-ID` names an organization other than `org`.
 */
const resolveOrgContext = (
  userId: string,
  org: OrgContext | null,
  namedOrgId: string | null,
): { ownerId: string; org: OrgContext | null } => {
  if (namedOrgId !== null && org?.id !== namedOrgId.toLowerCase())
    throw commonError('not_org_member')
  return { ownerId: org?.id ?? userId, org }
}

/** The limits of a key or grant, as the API shows them. */
export const limitsOf = ({
  scopes,
  pausedAt,
}: {
  scopes: Scope[] | null
  pausedAt: Date | null
}): Pick<ApiKey, 'scopes' | 'paused'> => ({
  ...(scopes && { scopes }),
  ...(pausedAt && { paused: true }),
})

/** The client of an admin who uses the account, in the activity of the user. */
const IMPERSONATION_CLIENT = 'admin (impersonation)'

/** The credential that a request was authenticated with, and the organization found for it. */
interface Authenticated {
  user: UserRow
  org: OrgContext | null
  sessionId: string | null
  keyId: string | null
  /** The name of the key or app. */
  client?: string
  /** Whether the credential acts in this organization only. */
  isForOrg?: boolean
  /** Null: all. */
  scopes?: Scope[] | null
  /** Set if an admin uses the session. */
  impersonation?: Impersonation
  /** The policies of the organization compare it. */
  proof: Proof
  facts: PolicyFacts
}

/**
 * @param namedOrgId the value of `X-Org-ID`.
 * @throws ApiError 403 when `namedOrgId` is not the organization that was found.
 */
export const createCaller = (
  { user, org: found, sessionId, keyId, client, isForOrg, scopes, ...parts }: Authenticated,
  namedOrgId: string | null,
  isAdmin: IsAdmin,
): Caller => {
  const { ownerId, org } = resolveOrgContext(user.id, found, namedOrgId)
  const { impersonation } = parts
  // An admin who uses the account is not held to policies.
  const proof = impersonation ? undefined : parts.proof
  const missing = org ? shortfallOf(parts.facts, proof) : []
  return {
    userId: user.id,
    ownerId,
    sessionId,
    keyId,
    ...(client !== undefined && { client }),
    // The text of an admin is not the word of the user, who sees whose it is.
    ...(impersonation && { isImpersonated: true, client: IMPERSONATION_CLIENT, trust: 'external' }),
    ...(isForOrg !== undefined && { isForOrg }),
    ...(proof && { proof }),
    ...(org && missing.length > 0 && { refusal: refusalOf(org, missing) }),
    ...(scopes && { scopes }),
    timezone: user.timezone,
    me: {
      ...presentCurrentUser(user, isAdmin),
      tier: user.tier,
      credential: keyId === null ? 'jwt' : 'api_key',
      org: org && missing.length > 0 ? { ...org, missing } : org,
      ...(scopes && { scopes }),
      ...(impersonation && { impersonation }),
    },
  }
}
