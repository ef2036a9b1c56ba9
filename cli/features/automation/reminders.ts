import type { Client } from '../../../shared/client.ts'
import { memoryStatistics } from '../../../shared/contract/introspect.ts'
import { deleteMemory } from '../../../shared/contract/memories.ts'
import {
  giveFeedback,
  listProactiveIntents,
  listUpcomingReminders,
  type ProactiveFeedback,
  type ProactiveIntent,
  type UpcomingReminder,
} from '../../../shared/contract/proactive.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { CliError } from '../../errors.ts'
import type { StatusPart } from '../../feature.ts'
import { formatMinute } from '../../format.ts'
import { findItem, type Kind, MAX_PAGE_SIZE } from '../../ids.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import type { Clock } from '../../runtime.ts'

type Upcoming = UpcomingReminder & { state: 'upcoming' }

/** A reminder that is due, or one that is not yet. */
type ListedReminder = ProactiveIntent | Upcoming

const isUpcoming = (reminder: ListedReminder): reminder is Upcoming => reminder.state === 'upcoming'

/** The reminders that are due, and then those that come, next first. */
export const reminders: Kind<ListedReminder> = {
  noun: 'Reminder',
  command: 'svc reminders list',
  async all(client) {
    const query = { limit: MAX_PAGE_SIZE }
    const [intents, upcoming] = await Promise.all([
      client.call(listProactiveIntents, { query }),
      client.call(listUpcomingReminders, { query }),
    ])
    return [
      ...intents.filter(({ kind }) => kind === 'reminder'),
      ...upcoming.map((reminder) => ({ ...reminder, state: 'upcoming' as const })),
    ]
  },
  // One that is not due has no ID of its own yet.
  id: (reminder) =>
    isUpcoming(reminder) ? (reminder.memory_ids[0] ?? reminder.title) : reminder.intent_id,
  names: ({ title }) => [title],
}

const READ_MS = 3_000
const READ_POLL_MS = 200

/** The reminders, also of a memory that was written just now and is being read. */
const readReminders = async (client: Client, clock: Clock): Promise<readonly ListedReminder[]> => {
  const deadline = clock.now() + READ_MS
  for (;;) {
    const { engines } = await client.call(memoryStatistics)
    const found = await reminders.all(client)
    if (
      clock.now() > deadline ||
      engines.every(({ engine, pending }) => engine !== 'extraction' || pending === 0)
    )
      return found
    await clock.sleep(READ_POLL_MS)
  }
}

export const runRemindersList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await readReminders(signedInClient(context), context.io.runtime.clock),
    id: reminders.id,
    columns: {
      STATE: (reminder) => (isUpcoming(reminder) ? 'upcoming' : 'due'),
      DUE: ({ due_at }) => formatMinute(due_at),
      REMINDER: ({ title }) => title,
    },
    empty: 'No reminders. To add one, run: svc remember "Remind me tomorrow at 9 to …"',
  })

const findReminder = (context: Context, typed: string): Promise<ListedReminder> =>
  findItem(signedInClient(context), reminders, typed)

const close = (context: Context, { intent_id }: ProactiveIntent, feedback: 'dismiss' | 'snooze') =>
  signedInClient(context).call(giveFeedback, {
    body: { intent_id, feedback } satisfies ProactiveFeedback,
  })

const closeWith = async (context: Context, typed: string, feedback: 'dismiss' | 'snooze') => {
  const reminder = await findReminder(context, typed)
  const title = oneLine(reminder.title)
  if (isUpcoming(reminder))
    throw new CliError(
      `${title} is not due until ${formatMinute(reminder.due_at)}.`,
      `To delete it, run: svc reminders delete ${reminders.id(reminder)}`,
    )
  context.io.willPrint([...Object.keys(reminder), 'feedback'])
  await close(context, reminder, feedback)
  if (context.json) context.io.printJson({ ...reminder, feedback })
  context.io.info(feedback === 'dismiss' ? `Done: ${title}.` : `Snoozed for a day: ${title}.`)
}

export const runRemindersDone = (context: Context, { reminder }: { reminder: string }) =>
  closeWith(context, reminder, 'dismiss')

export const runRemindersSnooze = (context: Context, { reminder }: { reminder: string }) =>
  closeWith(context, reminder, 'snooze')

/** Deletes the memories that a reminder comes from, so that it is not recalled either. */
export const runRemindersDelete = (
  context: Context,
  { reminder: typed, yes }: { reminder: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['reminders', 'delete', typed],
    async find() {
      const reminder = await findReminder(context, typed)
      if (reminder.memory_ids.length) return reminder
      throw new CliError(
        `${oneLine(reminder.title)} comes from a reflex, not from a memory.`,
        `Run: svc reminders done ${reminders.id(reminder)}`,
      )
    },
    question: ({ text }) => `Delete the memory “${oneLine(text)}”?`,
    async change(reminder) {
      const client = signedInClient(context)
      for (const memory_id of reminder.memory_ids)
        await client.call(deleteMemory, { params: { memory_id } })
      if (!isUpcoming(reminder)) await close(context, reminder, 'dismiss')
    },
    response: (reminder) => ({ ...reminder, deleted: true }),
    done: ({ title, memory_ids }) =>
      `Deleted: ${oneLine(title)}. To restore it within 30 days, run: svc memories restore ${memory_ids[0]}`,
  })

/** The reminders in `svc status`. */
export const readStatus = async (client: Client): Promise<StatusPart> => {
  const all = await reminders.all(client)
  const upcoming = all.filter(isUpcoming)
  const due = all.length - upcoming.length
  const [next] = upcoming
  return {
    fields: { reminders_due: due, next_reminder: next ?? null },
    lines: {
      reminders: `${due} due, ${upcoming.length} to come`,
      next: next && `${formatMinute(next.due_at)} ${next.title}`,
    },
    hints: due ? ['To list the reminders, run: svc reminders list'] : [],
  }
}
