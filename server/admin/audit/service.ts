import type { AdminAuditLog, AdminAuditQuery } from '../../../shared/contract/operations.ts'
import type { Database } from '../../platform/db/database.ts'
import { listAllAudit } from './store.ts'

export type AuditOverviewService = ReturnType<typeof createAuditOverviewService>

/** The audit events of all users, for admins. */
export const createAuditOverviewService = ({ query }: Database) => ({
  async list({ action, user_id, limit, cursor }: AdminAuditQuery): Promise<AdminAuditLog> {
    const { rows, scannedTo } = await listAllAudit(query, {
      action: action || undefined,
      userId: user_id,
      before: cursor,
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    return {
      entries: page.map(({ userId, createdAt, ...row }) => ({
        ...row,
        user_id: userId,
        created_at: createdAt,
      })),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : scannedTo,
    }
  },
})
