import type { AuditEntry, AuditLog } from '../../../../shared/contract/audit.ts'
import { auditLog } from '../../../../shared/contract/index.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { Mount } from '../../../platform/http/route.ts'
import {
  type AuditAction,
  deleteAudit,
  listAudit,
  onAudit,
  recordAudit,
  recordNewUsers,
} from './store.ts'
import type { AuditRow } from './table.ts'

export { type AuditAction, onAudit }

export type AuditService = ReturnType<typeof createAuditService>

export const createAuditService = ({ db }: Database) => ({
  /** A page of the caller's audit log, newest first. */
  async list(caller: Caller, query: AuditQuery): Promise<AuditLog> {
    const rows = await listAudit(db, caller.userId, {
      limit: query.limit + 1,
      before: query.cursor,
      action: query.action,
    })
    const page = rows.slice(0, query.limit)
    return {
      entries: page.map(present),
      next_cursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null,
    }
  },

  record: recordAudit,

  recordNewUsers,

  /** Deletes the audit log of a deleted user. The database refuses it while the user exists. */
  erase: (tx: Db, userId: string): Promise<void> => deleteAudit(tx, userId),
})

interface AuditQuery {
  limit: number
  cursor?: string
  /** The start of the action. */
  action?: string
}

const present = (row: AuditRow): AuditEntry => ({
  id: row.id,
  action: row.action,
  subject: row.subject,
  ip: row.ip,
  details: row.details,
  created_at: row.createdAt.toISOString(),
})

export const auditRoutes = (mount: Mount, audit: AuditService): void => {
  mount(auditLog, ({ caller, query }) => audit.list(caller, query))
}
