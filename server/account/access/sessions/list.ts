import type { Session } from '../../../../shared/contract/sessions.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { Client } from '../../../platform/http/route.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockUserShared } from '../../users/lock.ts'
import { sessionError } from './errors.ts'
import type { SessionService } from './service.ts'
import { listSessions, revokeSessionOf } from './store.ts'
import type { SessionRow } from './table.ts'

export type SessionList = ReturnType<typeof createSessionList>

/** The sessions of an account, for its owner to list and end. */
export const createSessionList = ({ db }: Database, sessions: SessionService) => ({
  async list(caller: Caller): Promise<Session[]> {
    const rows = await listSessions(db, caller.userId)
    return rows.map((row) => present(row, caller))
  },

  /** @throws ApiError 404 for a session that is not the caller's or has ended. */
  async revoke(caller: Caller, id: string, client: Client): Promise<void> {
    const { userId } = caller
    await db.transaction(async (tx) => {
      await lockUserShared(tx, userId)
      if (!(await revokeSessionOf(tx, userId, id))) throw sessionError('session_not_found')
      await recordAudit(tx, { userId, action: 'session.ended', subject: id, ip: client.ip })
    })
  },

  /** Ends all sessions of a user except `keptId`. */
  async revokeAll(userId: string, keptId: string | null, client: Client): Promise<void> {
    await db.transaction(async (tx) => {
      await sessions.endAll(tx, userId, keptId)
      const details = keptId ? { details: { kept: keptId } } : {}
      await recordAudit(tx, { userId, action: 'session.all_ended', ip: client.ip, ...details })
    })
  },
})

const present = (row: SessionRow, caller: Caller): Session => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  last_seen_at: row.lastSeenAt.toISOString(),
  ip: row.ip,
  user_agent: row.userAgent,
  current: row.id === caller.sessionId,
})
