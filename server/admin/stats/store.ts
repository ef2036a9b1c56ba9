import type { Query } from '../../platform/db/database.ts'

/** Memories and messages are sums of maintained counters; the others count rows. */
const COUNTS = `
with seen as (
  select user_id, max(at) as at from (
    select user_id, last_seen_at as at from sessions where last_seen_at > now() - interval '30 days'
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

export type Counts = Record<
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

export const countRows = async (query: Query): Promise<Counts> => {
  const [row = {}] = await query<Record<string, string>>(COUNTS, [])
  return Object.fromEntries(Object.entries(row).map(([name, n]) => [name, Number(n)])) as Counts
}
