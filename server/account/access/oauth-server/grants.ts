import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError, defineErrors } from '../../../platform/http/error.ts'
import type { IsAdmin } from '../../users/admins.ts'
import { createCaller } from '../caller.ts'
import type { SessionService } from '../sessions/service.ts'
import { prepareFindGrant } from './store.ts'
import type { GrantTokens } from './tokens.ts'

const TOUCH_MS = 60_000

const grantError = defineErrors({
  grant_ended: { status: 401, detail: 'The authorization has ended. Authorize the app again.' },
})

export type GrantAuthentication = ReturnType<typeof createGrantAuthentication>

/** Resolves access tokens of OAuth clients to callers. */
export const createGrantAuthentication = (
  { db }: Database,
  tokens: Pick<GrantTokens, 'readAccess'>,
  sessions: Pick<SessionService, 'touch'>,
  isAdmin: IsAdmin,
) => {
  const findGrant = prepareFindGrant(db)

  return {
    /**
     * @returns undefined for a token of another kind.
     * @param namedOrgId the value of `X-Org-ID`, which cannot extend what the user has approved.
     * @throws ApiError 401 for an expired token, and for one whose session has ended, 403 for an
     * organization other than the approved one.
     */
    async callerOf(token: string, namedOrgId: string | null): Promise<Caller | undefined> {
      const read = await tokens.readAccess(token)
      if (!read.ok && read.expired) throw commonError('token_expired')
      if (!read.ok) return undefined
      const found = await findGrant(read.claims.sessionId)
      if (!found) throw grantError('grant_ended')
      const { session, user, org } = found
      if (session.lastSeenAt.getTime() < Date.now() - TOUCH_MS) await sessions.touch(session.id)
      const isForOrg = org !== null
      return createCaller(
        { user, org, sessionId: session.id, keyId: null, isForOrg },
        namedOrgId,
        isAdmin,
      )
    },
  }
}
