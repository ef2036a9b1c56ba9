import type { AuditEntry, AuditLog } from '../../../shared/schemas/sessions.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { deleteAudit, listAudit, recordAudit } from './store.ts'
import type { AuditRow } from './table.ts'

export type AuditService = ReturnType<typeof createAuditService>

export const createAuditService = ({ db }: Database) => ({
  /** A page of what happened to the caller's account, newest first. */
  async list(caller: Caller, query: { limit: number; cursor?: string }): Promise<AuditLog> {
    const rows = await listAudit(db, caller.userId, {
      limit: query.limit + 1,
      before: query.cursor,
    })
    const page = rows.slice(0, query.limit)
    return {
      entries: page.map(present),
      next_cursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null,
    }
  },

  /** Notes what somebody did, within the transaction that does it. */
  record: recordAudit,

  /** Erases the trail of a user who is gone: before, the database refuses it. */
  erase: (tx: Db, userId: string): Promise<void> => deleteAudit(tx, userId),
})

const present = (row: AuditRow): AuditEntry => ({
  id: row.id,
  action: row.action,
  subject: row.subject,
  ip: row.ip,
  details: row.details,
  created_at: row.createdAt.toISOString(),
})
