import type { Query } from '../../platform/db/database.ts'
import { lastBy, periodIn, REPEATS, REPEATS_LEAD } from './rules/index.ts'

/** Something that a memory asks to be reminded of. */
export interface Reminder {
  factId: string
  memoryId: string
  /** What of. */
  value: string
  quote: string
  /** Null where no time was named. */
  dueAt: Date | null
  askedAt: Date
  /** The time zone that its time was read in. */
  timezone: string
}

/** Of something that came due longer ago nobody is reminded any more. */
const DAYS = 30
const MAX_REMINDERS = 500

/**
 * What was due long before it was written down, as in an import, comes due no more. What comes again
 * is due whenever it comes.
 */
const REMINDERS = `
select f.fact_id, f.memory_id, f.value, f.quote, f.due_at, coalesce(f.timezone, 'UTC') as timezone,
  coalesce(m.occurred_at, m.created_at) as asked_at
from memory_facts f
join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
where f.owner_id = $1 and f.kind = 'reminder'
  and (f.subject in (select jsonb_array_elements_text($2::jsonb))
    -- Who says something in a conversation may have had another name then.
    or (m.source_kind = 'chat' and m.agent_slug is null and f.subject = m.author))
  and m.deleted_at is null and m.superseded_by is null and strpos(m.content_text, f.quote) > 0
  and CONDITION
order by f.due_at desc, asked_at desc limit ${MAX_REMINDERS}`

const DUE = REMINDERS.replace(
  'CONDITION',
  `f.due_at <= $3 and (f.value ~* $4 and f.value ~* $5 or
    (f.due_at > $3::timestamptz - interval '${DAYS} days' and f.due_at > m.created_at - interval '1 day'))`,
)
const UNTIMED = REMINDERS.replace(
  'CONDITION',
  `f.due_at is null and m.created_at > $3::timestamptz - interval '${DAYS} days'
  and coalesce(m.occurred_at, m.created_at) > $3::timestamptz - interval '${DAYS} days'`,
)

type Row = Record<'fact_id' | 'memory_id' | 'value' | 'quote' | 'timezone', string> & {
  due_at: string | Date | null
  asked_at: string | Date
}

const read = (row: Row): Reminder => ({
  factId: row.fact_id,
  memoryId: row.memory_id,
  value: row.value,
  quote: row.quote,
  dueAt: row.due_at === null ? null : new Date(row.due_at),
  askedAt: new Date(row.asked_at),
  timezone: row.timezone,
})

/**
 * What somebody is to be reminded of by `now`, each as it came due last. What comes again does so by the
 * clock of where they are now, in `timezone`.
 */
export const listDue = async (
  query: Query,
  ownerId: string,
  subjects: string[],
  now: Date,
  timezone: string,
): Promise<(Reminder & { dueAt: Date })[]> => {
  const params = [ownerId, JSON.stringify(subjects), now.toISOString(), REPEATS_LEAD, REPEATS]
  const earliest = now.getTime() - DAYS * 24 * 60 * 60 * 1000
  return (await query<Row>(DUE, params)).map(read).flatMap((reminder) => {
    const period = periodIn(reminder.value)
    const first = reminder.dueAt as Date
    const zones = { read: reminder.timezone, now: timezone }
    const dueAt = period ? lastBy(first, period, now, zones) : first
    return dueAt.getTime() > earliest && dueAt <= now ? [{ ...reminder, dueAt }] : []
  })
}

/** What somebody asked to be reminded of lately, without saying when. */
export const listUntimed = async (
  query: Query,
  ownerId: string,
  subjects: string[],
  now: Date,
): Promise<Reminder[]> => {
  const params = [ownerId, JSON.stringify(subjects), now.toISOString()]
  return (await query<Row>(UNTIMED, params)).map(read)
}
