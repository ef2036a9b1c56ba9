import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'

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
