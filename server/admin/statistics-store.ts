import { desc, sql } from 'drizzle-orm'
import { emailRecipients } from '../emails/table.ts'
import type { Db, Query } from '../platform/db/database.ts'
import { namedQuery } from '../platform/db/statements.ts'

/** Memories and messages are sums of maintained counters; the others count rows. */
const COUNTS = `
with seen as (
  select user_id, max(at) as at from (
    select user_id, last_seen_at as at from sessions where last_seen_at > now() - interval '30 days'
      and impersonator_id is null
    union all
    select user_id, last_used_at from api_keys where last_used_at > now() - interval '30 days'
  ) uses group by user_id
)
select u.*, a.*,
  (select count(*) from sessions where revoked_at is null and expires_at > now()) as sessions,
  (select count(*) from api_keys where expires_at is null or expires_at > now()) as api_keys,
  (select count(*) from orgs) as organizations,
  (select coalesce(sum(memory_count), 0) from memory_stats) as memories,
  (select coalesce(sum(message_count), 0) from chat_sessions) as messages,
  (select count(*) from email_recipients where state = 'queued') as emails_queued,
  (select count(*) from email_recipients where state = 'failed') as emails_failed,
  pg_database_size(current_database()) as size_bytes
from (
  select count(*) as total, count(*) filter (where email_verified) as verified,
    count(*) filter (where disabled_at is not null) as disabled
  from users
) u cross join (
  select count(*) filter (where at > now() - interval '24 hours') as active_24h,
    count(*) as active_30d
  from seen
) a`

export type RowCounts = Record<
  | 'total'
  | 'verified'
  | 'disabled'
  | 'active_24h'
  | 'active_30d'
  | 'sessions'
  | 'api_keys'
  | 'organizations'
  | 'memories'
  | 'messages'
  | 'emails_queued'
  | 'emails_failed'
  | 'size_bytes',
  number
>

export const countRows = async (query: Query): Promise<RowCounts> => {
  const [row = {}] = await query<Record<string, string>>(COUNTS, [])
  return Object.fromEntries(Object.entries(row).map(([name, n]) => [name, Number(n)])) as RowCounts
}

/** The day in UTC of the time in a UUIDv7: its first 48 bits are milliseconds (RFC 9562). */
const dayOf = (id: string) =>
  `(to_timestamp(('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
    at time zone 'UTC')::date`

/**
 * Ids are UUIDv7, so that each part reads the range of a primary key or unique index since the first day,
 * and not all rows. Memories and messages are keyed by their owner: there is one range for each.
 */
const HISTORY = `
with days as (
  select generate_series(:firstDay::date, :lastDay::date, interval '1 day')::date as day
), created as (
  select 'users' as what, ${dayOf('id')} as day from users where id >= :firstId
  union all
  select 'sign_ins', ${dayOf('id')} from audit_log
    where id >= :firstId and action = 'session.started'
  union all
  select 'memories', ${dayOf('m.memory_id')} from memory_stats s cross join lateral (
    select memory_id from memories where owner_id = s.owner_id and memory_id >= :firstId
  ) m
  union all
  select 'messages', ${dayOf('m.message_id')} from users u cross join lateral (
    select message_id from chat_messages where user_id = u.id and message_id >= :firstId
  ) m
)
select to_char(days.day, 'YYYY-MM-DD') as day,
  count(*) filter (where what = 'users')::int as users,
  count(*) filter (where what = 'sign_ins')::int as sign_ins,
  count(*) filter (where what = 'memories')::int as memories,
  count(*) filter (where what = 'messages')::int as messages
from days left join created on created.day = days.day
group by days.day order by days.day`

export interface DayCounts {
  day: string
  users: number
  sign_ins: number
  memories: number
  messages: number
}

export const countByDay = (
  query: Query,
  range: { firstDay: string; lastDay: string; firstId: string },
): Promise<DayCounts[]> => namedQuery<DayCounts>(query, HISTORY, range)

const { state, updatedAt, address, reason } = emailRecipients

// States are not parameters, so that generic plans read the index of unsent emails only.

export const countUnsentEmails = async (db: Db) => {
  const [row] = await db
    .select({
      queued: sql<number>`count(*) filter (where ${state} = 'queued')::int`,
      failed: sql<number>`count(*) filter (where ${state} = 'failed')::int`,
      oldestQueuedAt:
        sql<Date | null>`min(${updatedAt}) filter (where ${state} = 'queued')`.mapWith(updatedAt),
    })
    .from(emailRecipients)
    .where(sql`${state} <> 'sent'`)
  return row ?? { queued: 0, failed: 0, oldestQueuedAt: null }
}

/** Newest first. */
export const listFailedEmails = (db: Db, limit: number) =>
  db
    .select({ domain: sql<string>`split_part(${address}, '@', 2)`, reason, failedAt: updatedAt })
    .from(emailRecipients)
    .where(sql`${state} = 'failed'`)
    .orderBy(desc(updatedAt))
    .limit(limit)
