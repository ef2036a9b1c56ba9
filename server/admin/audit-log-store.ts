import type { AuditRow } from '../account/users/audit/table.ts'
import { isoText } from '../platform/db/columns.ts'
import type { Query } from '../platform/db/database.ts'
import { namedQuery } from '../platform/db/statements.ts'

/** Bounds the work of a page whose filter matches few events. */
const MAX_SCANNED = 10_000

export interface AuditPage {
  /** An action, or the part of it before the point. */
  action: string | undefined
  userId: string | undefined
  /** In ISO 8601. */
  since: string | undefined
  until: string | undefined
  before: string | undefined
  limit: number
}

/** `createdAt` is in ISO 8601. */
export type AuditRowWithEmail = Omit<AuditRow, 'createdAt'> & {
  createdAt: string
  email: string | null
}

/** Ids are UUIDv7. The events of one user have an index by user and time, all events have their key. */
const statement = ({ action, userId, since, until, before }: AuditPage): string => `
with scanned as materialized (
  select * from audit_log
  where true ${before ? 'and id < :before' : ''} ${userId ? 'and user_id = :userId' : ''}
    ${since ? 'and created_at >= :since::timestamptz' : ''} ${until ? 'and created_at < :until::timestamptz' : ''}
  order by ${userId ? 'created_at desc, id desc' : 'id desc'} limit ${MAX_SCANNED}
), matching as (
  select * from scanned
  ${action ? "where action = :action or starts_with(action, :action || '.')" : ''}
  order by id desc limit :limit
)
select m.id, m.user_id as "userId", m.action, m.subject, m.ip, m.details,
  ${isoText('m.created_at')} as "createdAt", u.email, s.last_id as "lastId", s.count as scanned
from (select (select id from scanned order by id limit 1) as last_id,
  (select count(*) from scanned)::int as count) s
left join matching m on true left join users u on u.id = m.user_id
order by m.id desc`

type Row = (AuditRowWithEmail | { [K in keyof AuditRowWithEmail]: null }) & {
  lastId: string | null
  scanned: number
}

/**
 * Newest first.
 * @returns `scannedTo`, the oldest event that was searched, if there may be older ones.
 */
export const listAllAudit = async (
  query: Query,
  page: AuditPage,
): Promise<{ rows: AuditRowWithEmail[]; scannedTo: string | null }> => {
  const found = await namedQuery<Row>(query, statement(page), { ...page })
  const [first] = found
  return {
    rows: found.flatMap(({ lastId: _, scanned: __, ...row }) => (row.id === null ? [] : [row])),
    scannedTo: first?.scanned === MAX_SCANNED ? first.lastId : null,
  }
}
