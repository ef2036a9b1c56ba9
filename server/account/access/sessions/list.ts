import {
  currentUser,
  listSessions,
  me,
  refresh,
  revokeAllSessions,
  revokeSession,
  signOut,
} from '../../../../shared/contract/index.ts'
import type { Session } from '../../../../shared/contract/sessions.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockUserShared } from '../../users/lock.ts'
import { impersonationOf } from './impersonation.ts'
import { type SessionService, sessionError } from './service.ts'
import { findLiveSessions, revokeSessionOf } from './store.ts'
import type { SessionRow } from './table.ts'

/** The sessions of an account, for its owner to list and end. */
export type SessionList = ReturnType<typeof createSessionList>

export const createSessionList = ({ db }: Database, sessions: SessionService) => ({
  async list(caller: Caller): Promise<Session[]> {
    const rows = await findLiveSessions(db, caller.userId)
    return rows.map((row) => present(row, caller))
  },

  /** @throws ApiError 404 for a session that is not the caller's or has ended. */
  async revoke(caller: Caller, id: string, client: RequestClient): Promise<void> {
    const { userId } = caller
    await db.transaction(async (tx) => {
      await lockUserShared(tx, userId)
      if (!(await revokeSessionOf(tx, userId, id))) throw sessionError('session_not_found')
      await recordAudit(tx, { userId, action: 'session.ended', subject: id, ip: client.ip })
    })
  },

  /** Ends all sessions of a user except `exceptId`. */
  async revokeAll(userId: string, exceptId: string | null, client: RequestClient): Promise<void> {
    await db.transaction(async (tx) => {
      await sessions.endAll(tx, userId, exceptId)
      const details = exceptId ? { details: { kept: exceptId } } : {}
      await recordAudit(tx, { userId, action: 'session.all_ended', ip: client.ip, ...details })
    })
  },
})

const impersonationField = (row: SessionRow): Pick<Session, 'impersonation'> => {
  const impersonation = impersonationOf(row)
  return impersonation ? { impersonation } : {}
}

const present = (row: SessionRow, caller: Caller): Session => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  last_seen_at: row.lastSeenAt.toISOString(),
  ip: row.ip,
  user_agent: row.userAgent,
  current: row.id === caller.sessionId,
  ...impersonationField(row),
})

export interface ProviderSignOut {
  /** @returns the page that also ends the session at the provider that the user signed in with. */
  logoutUrl(sessionId: string): Promise<string | undefined>
}

export const sessionRoutes = (
  mount: Mount,
  sessions: SessionService,
  sessionList: SessionList,
  providerSignOut: ProviderSignOut,
): void => {
  mount(refresh, async ({ refreshCookie }) => {
    const { response, refreshToken } = await sessions.refresh(refreshCookie.value)
    refreshCookie.set(refreshToken)
    return response
  })
  mount(signOut, async ({ refreshCookie }) => {
    const sessionId = await sessions.signOut(refreshCookie.value)
    refreshCookie.clear()
    const logout_url = sessionId && (await providerSignOut.logoutUrl(sessionId))
    return { message: 'Signed out', ...(logout_url && { logout_url }) }
  })
  mount(listSessions, ({ caller }) => sessionList.list(caller))
  mount(revokeAllSessions, async ({ caller, query, client, refreshCookie }) => {
    if (query.keep_current) {
      await sessionList.revokeAll(caller.userId, caller.sessionId, client)
      return { message: 'Signed out everywhere else' }
    }
    await sessionList.revokeAll(caller.userId, null, client)
    refreshCookie.clear()
    return { message: 'Signed out everywhere' }
  })
  mount(revokeSession, async ({ caller, params, client, refreshCookie }) => {
    await sessionList.revoke(caller, params.session_id, client)
    if (params.session_id === caller.sessionId) refreshCookie.clear()
    return undefined
  })
  mount(currentUser, ({ caller }) => caller.me)
  mount(me, ({ caller }) => caller.me)
}
