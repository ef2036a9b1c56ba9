import type { Session } from '../../../shared/schemas/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { recordAudit } from '../audit/store.ts'
import type { SessionService } from './service.ts'
import { listSessions, revokeSessionOf } from './store.ts'
import type { SessionRow } from './table.ts'

export type SessionList = ReturnType<typeof createSessionList>

/** Where an account is signed in, for its owner to look at and to end. */
export const createSessionList = ({ db }: Database, sessions: SessionService) => ({
  async list(caller: Caller): Promise<Session[]> {
    const rows = await listSessions(db, caller.userId)
    return rows.map((row) => present(row, caller))
  },

  /** @throws ApiError 404 for a session that is not the caller's, or has ended. */
  async revoke(caller: Caller, id: string, client: Client): Promise<void> {
    await db.transaction(async (tx) => {
      if (!(await revokeSessionOf(tx, caller.userId, id)))
        throw new ApiError(404, 'Session not found')
      await recordAudit(tx, {
        userId: caller.userId,
        action: 'session.ended',
        subject: id,
        ip: client.ip,
      })
    })
  },

  /** Signs out every device, the caller's own too. */
  async revokeAll(caller: Caller, client: Client): Promise<void> {
    await db.transaction(async (tx) => {
      await sessions.endAll(tx, caller.userId)
      await recordAudit(tx, { userId: caller.userId, action: 'session.all_ended', ip: client.ip })
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
