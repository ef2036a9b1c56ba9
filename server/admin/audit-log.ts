import type {
  AdminAuditEntry,
  AdminAuditExportQuery,
  AdminAuditLog,
  AdminAuditQuery,
} from '../../shared/contract/operations.ts'
import type { Database } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { timeBound } from '../platform/timezone.ts'
import { type AuditRowWithEmail, listAllAudit } from './audit-log-store.ts'

export type AuditOverviewService = ReturnType<typeof createAuditOverviewService>

const EXPORT_PAGE = 1_000

/** The audit events of all users, for admins. */
export const createAuditOverviewService = ({ query }: Database) => {
  const read = async (
    { timezone }: Caller,
    { action, user_id, since, until }: AdminAuditExportQuery,
    limit: number,
    before: string | undefined,
  ): Promise<AdminAuditLog> => {
    const { rows, scannedTo } = await listAllAudit(query, {
      action: action || undefined,
      userId: user_id,
      since: timeBound(since, timezone)?.instant,
      until: timeBound(until, timezone)?.instant,
      before,
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    return {
      entries: page.map(present),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : scannedTo,
    }
  }

  return {
    list: (caller: Caller, { limit, cursor, ...filter }: AdminAuditQuery): Promise<AdminAuditLog> =>
      read(caller, filter, limit, cursor),

    /** Every event that matches, newest first, in pages of the database. */
    async *export(caller: Caller, filter: AdminAuditExportQuery): AsyncIterable<AdminAuditEntry> {
      let cursor: string | undefined
      do {
        const page: AdminAuditLog = await read(caller, filter, EXPORT_PAGE, cursor)
        yield* page.entries
        cursor = page.next_cursor ?? undefined
      } while (cursor)
    },
  }
}

const present = ({ userId, createdAt, ...row }: AuditRowWithEmail): AdminAuditEntry => ({
  ...row,
  user_id: userId,
  created_at: createdAt,
})
