import type { Trust } from '../../../shared/contract/memories.ts'
import { DAY_MS } from '../../../shared/duration.ts'
import type { Query } from '../../platform/db/database.ts'
import type { ReadableOwner } from '../wall.ts'
import {
  lastOccurrence,
  nextOccurrence,
  periodIn,
  RECURRENCE,
  RECURRENCE_PREFIX,
} from './rules/recurrence.ts'

/** A reminder that a memory states. */
export interface Reminder {
  factId: string
  memoryId: string
  /** The task. */
  value: string
  quote: string
  /** Null if the memory names no time. */
  dueAt: Date | null
  statedAt: Date
  /** The time zone in which `dueAt` was read. */
  timezone: string
}

export type DueReminder = Reminder & { dueAt: Date }

export interface ReminderSearch {
  ownerId: ReadableOwner
  /** The subjects of the owner's facts about themselves. */
  subjects: string[]
  /** The levels of trust of the memories that count. */
  trusts: Trust[]
  /** The ids of superseded memories that are current for the reader. */
  current: string[]
  now: Date
}

/** Reminders that became due longer ago are dropped. */
const MAX_AGE_DAYS = 30
const MAX_REMINDERS = 500

/**
 * A reminder that was due long before its memory was written, as in an import, is dropped. A recurring
 * one is kept: its next occurrence is due.
 */
const remindersWhere = (condition: string, order: 'asc' | 'desc' = 'desc') => `
select f.fact_id, f.memory_id, f.value, f.quote, f.due_at, coalesce(f.timezone, 'UTC') as timezone,
  coalesce(m.occurred_at, m.created_at) as stated_at
from memory_facts f
join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
where f.owner_id = $1 and f.kind = 'reminder'
  and (f.subject in (select jsonb_array_elements_text($2::jsonb))
    -- The display name may have changed since the conversation.
    or (m.source_kind = 'chat' and m.agent_slug is null and f.subject = m.author))
  and m.trust in (select jsonb_array_elements_text($4::jsonb))
  and m.deleted_at is null and (m.superseded_by is null or m.memory_id = any($5::uuid[]))
  and strpos(m.content_text, f.quote) > 0
  and ${condition}
order by f.due_at ${order}, stated_at desc limit ${MAX_REMINDERS}`

const RECURS = 'f.value ~* $6 and f.value ~* $7'

const DUE = remindersWhere(
  `f.due_at <= $3 and (${RECURS} or
    (f.due_at > $3::timestamptz - interval '${MAX_AGE_DAYS} days' and f.due_at > m.created_at - interval '1 day'))`,
)
const UPCOMING = remindersWhere(`(f.due_at > $3 or ${RECURS})`, 'asc')
const UNTIMED = remindersWhere(
  `f.due_at is null and m.created_at > $3::timestamptz - interval '${MAX_AGE_DAYS} days'
  and coalesce(m.occurred_at, m.created_at) > $3::timestamptz - interval '${MAX_AGE_DAYS} days'`,
)

type Row = Record<'fact_id' | 'memory_id' | 'value' | 'quote' | 'timezone', string> & {
  due_at: string | Date | null
  stated_at: string | Date
}

const fromRow = (row: Row): Reminder => ({
  factId: row.fact_id,
  memoryId: row.memory_id,
  value: row.value,
  quote: row.quote,
  dueAt: row.due_at === null ? null : new Date(row.due_at),
  statedAt: new Date(row.stated_at),
  timezone: row.timezone,
})

/** The reminders that are due by `now`, each with its last due time. */
export const listDueReminders = async (
  query: Query,
  search: ReminderSearch,
): Promise<DueReminder[]> => {
  const { now } = search
  const earliest = now.getTime() - MAX_AGE_DAYS * DAY_MS
  return (await query<Row>(DUE, recurrenceParams(search))).map(fromRow).flatMap((reminder) => {
    const { value, dueAt: first } = reminder
    if (!first) return []
    const period = periodIn(value)
    const dueAt = period ? lastOccurrence(first, period, now, reminder.timezone) : first
    return dueAt.getTime() > earliest && dueAt <= now ? [{ ...reminder, dueAt }] : []
  })
}

/** The reminders after `now`, each with its next due time, next first. */
export const listUpcomingReminders = async (
  query: Query,
  search: ReminderSearch,
): Promise<DueReminder[]> => {
  const { now } = search
  return (await query<Row>(UPCOMING, recurrenceParams(search)))
    .map(fromRow)
    .flatMap((reminder) => {
      const { value, dueAt: first } = reminder
      if (!first) return []
      const period = periodIn(value)
      const dueAt = period ? nextOccurrence(first, period, now, reminder.timezone) : first
      return dueAt > now ? [{ ...reminder, dueAt }] : []
    })
    .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
}

/** The recent reminders that name no time. */
export const listUntimedReminders = async (
  query: Query,
  search: ReminderSearch,
): Promise<Reminder[]> => (await query<Row>(UNTIMED, reminderParams(search))).map(fromRow)

const reminderParams = ({ ownerId, subjects, trusts, current, now }: ReminderSearch): unknown[] => [
  ownerId,
  JSON.stringify(subjects),
  now.toISOString(),
  JSON.stringify(trusts),
  current,
]

const recurrenceParams = (search: ReminderSearch): unknown[] => [
  ...reminderParams(search),
  RECURRENCE_PREFIX,
  RECURRENCE,
]
