import type { AdminAuditLog, AdminAuditQuery } from '../../shared/contract/operations.ts'
import type { Database } from '../platform/db/database.ts'
import { listAllAudit } from './audit-log-store.ts'

export interface AuditOverviewService {
  list(query: AdminAuditQuery): Promise<AdminAuditLog>
}

/** The audit events of all users, for admins. */
export const createAuditOverviewService = ({ query }: Database): AuditOverviewService => ({
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
