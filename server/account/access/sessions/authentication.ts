import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError } from '../../../platform/http/error.ts'
import type { IsAdmin } from '../../users/user.ts'
import { createCaller, parseOrgId } from '../caller.ts'
import { createImpersonationCheck, IMPERSONATION_SCOPES, impersonationOf } from './impersonation.ts'
import { sessionError } from './service.ts'
import {
  type FoundSession,
  prepareFindSession,
  signInOf,
  TOUCH_SECONDS,
  touchSession,
} from './store.ts'
import type { SessionTokens } from './tokens.ts'

/** Resolves access tokens and refresh cookies to callers. */
export type AuthenticationService = ReturnType<typeof createAuthenticationService>

export const createAuthenticationService = (
  { db }: Database,
  tokens: Pick<SessionTokens, 'readAccess' | 'readRefresh'>,
  isAdmin: IsAdmin,
) => {
  const findSession = prepareFindSession(db)
  const isStillAllowed = createImpersonationCheck({ db }, isAdmin)

  /** @throws ApiError 403 for an organization that the user is not a member of. */
  const sessionCaller = (found: FoundSession, namedOrgId: string | null = null): Caller => {
    const { session, user, org, facts } = found
    const impersonation = impersonationOf(session)
    const limits = impersonation && { scopes: [...IMPERSONATION_SCOPES], impersonation }
    const proof = { kind: 'session', ...signInOf(session), scopes: null } as const
    const credential = { user, org, sessionId: session.id, keyId: null, proof, facts, ...limits }
    return createCaller(credential, namedOrgId, isAdmin)
  }

  /**
   * Reads the refresh cookie without rotating it.
   * @returns undefined for a cookie that is missing or not valid any more.
   */
  const callerOfCookie = async (cookie: string | undefined): Promise<Caller | undefined> => {
    const read = cookie ? await tokens.readRefresh(cookie) : undefined
    const found = read?.ok ? await findSession(read.claims.sessionId, null) : undefined
    if (!found || !read?.ok) return undefined
    const age = found.session.generation - read.claims.generation
    return age === 0 || age === 1 ? sessionCaller(found) : undefined
  }

  return {
    callerOfCookie,

    /** @throws ApiError 401 for a cookie that is missing or not valid any more. */
    async authenticateCookie(cookie: string | undefined): Promise<Caller> {
      const caller = await callerOfCookie(cookie)
      if (!caller) throw commonError('bad_credentials')
      return caller
    },

    /**
     * @param namedOrgId the value of `X-Org-ID`.
     * @throws ApiError 401 for a token that is invalid, expired, or of an ended session; 403 for an
     * organization that the user is not a member of.
     */
    async authenticate(accessToken: string, namedOrgId: string | null): Promise<Caller> {
      const read = await tokens.readAccess(accessToken)
      if (!read.ok) throw sessionError(`session_token_${read.reason}`)
      const found = await findSession(read.claims.sessionId, parseOrgId(namedOrgId))
      if (!found || found.user.id !== read.claims.userId)
        throw sessionError('session_token_invalid')
      if (!(await isStillAllowed(found.session, found.user)))
        throw sessionError('session_token_invalid')
      // The user was not here while an admin uses the account.
      if (
        found.session.impersonatorId === null &&
        found.session.lastSeenAt.getTime() < Date.now() - TOUCH_SECONDS * 1000
      )
        await touchSession(db, found.session.id)
      return sessionCaller(found, namedOrgId)
    },
  }
}
