import type { Caller } from '../../platform/http/caller.ts'
import type { IsAdmin } from '../users/admins.ts'
import { presentCurrentUser } from '../users/present.ts'
import type { UserRow } from '../users/table.ts'
import { type OrgContext, resolveOrgContext } from './org-context.ts'

/** The credential that a request was authenticated with, and the organization found for it. */
interface Authenticated {
  user: UserRow
  org: OrgContext | null
  sessionId: string | null
  keyId: string | null
  /** Whether the credential acts in this organization only. */
  isForOrg?: boolean
}

/**
 * @param namedOrgId the value of `X-Org-ID`.
 * @throws ApiError 403 when `namedOrgId` is not the organization that was found.
 */
export const createCaller = (
  { user, org: found, sessionId, keyId, isForOrg }: Authenticated,
  namedOrgId: string | null,
  isAdmin: IsAdmin,
): Caller => {
  const { ownerId, org } = resolveOrgContext(user.id, found, namedOrgId)
  return {
    userId: user.id,
    ownerId,
    sessionId,
    keyId,
    ...(isForOrg !== undefined && { isForOrg }),
    timezone: user.timezone,
    me: {
      ...presentCurrentUser(user, isAdmin),
      tier: user.tier,
      credential: keyId === null ? 'jwt' : 'api_key',
      org,
    },
  }
}
