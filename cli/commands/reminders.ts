import { deleteMemory } from '../../shared/contract/memories.ts'
import { giveFeedback, listProactiveIntents } from '../../shared/contract/proactive.ts'
import type { ProactiveFeedback, ProactiveIntent } from '../../shared/schemas/proactive.ts'
import { changeConfirmed } from '../confirmed.ts'
import { type Context, signedInClient } from '../context.ts'
import { CliError } from '../errors.ts'
import { findItem, type Kind, MAX_PAGE_SIZE } from '../find.ts'
import { printList } from '../list.ts'
import { oneLine } from '../output.ts'
import { formatMinute } from '../time.ts'

/** The reminders that are due. */
export const reminders: Kind<ProactiveIntent> = {
  noun: 'Reminder',
  command: 'svc reminders list',
  async all(client) {
    const intents = await client.call(listProactiveIntents, { query: { limit: MAX_PAGE_SIZE } })
    return intents.filter(({ kind }) => kind === 'reminder')
  },
  id: ({ intent_id }) => intent_id,
  names: ({ title }) => [title],
}

export const runRemindersList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await reminders.all(signedInClient(context)),
    id: reminders.id,
    columns: {
      DUE: ({ due_at }) => formatMinute(due_at),
      REMINDER: ({ title }) => title,
    },
    empty: 'No reminders are due. To add one, run: svc remember "Remind me tomorrow at 9 to …"',
  })

const findReminder = (context: Context, typed: string): Promise<ProactiveIntent> =>
  findItem(signedInClient(context), reminders, typed)

const close = (context: Context, { intent_id }: ProactiveIntent, feedback: 'dismiss' | 'snooze') =>
  signedInClient(context).call(giveFeedback, {
    body: { intent_id, feedback } satisfies ProactiveFeedback,
  })

const closeWith = async (context: Context, typed: string, feedback: 'dismiss' | 'snooze') => {
  const reminder = await findReminder(context, typed)
  await close(context, reminder, feedback)
  if (context.json) context.io.printJson({ ...reminder, feedback })
  const title = oneLine(reminder.title)
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
        `Run: svc reminders done ${reminder.intent_id}`,
      )
    },
    question: ({ text }) => `Delete the memory “${oneLine(text)}”?`,
    async change(reminder) {
      const client = signedInClient(context)
      for (const memory_id of reminder.memory_ids)
        await client.call(deleteMemory, { params: { memory_id } })
      await close(context, reminder, 'dismiss')
    },
    response: (reminder) => ({ ...reminder, deleted: true }),
    done: ({ title, memory_ids }) =>
      `Deleted: ${oneLine(title)}. To restore it within 30 days, run: svc memories restore ${memory_ids[0]}`,
  })
