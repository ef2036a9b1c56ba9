import { createHash } from 'node:crypto'
import type { IdentityConflict } from '../../../../shared/contract/identity.ts'
import type { UpcomingReminder } from '../../../../shared/contract/proactive.ts'
import type { FactOwner, FactService, Reminder } from '../../../memory/facts/service.ts'
import { subjectsOf } from '../../../memory/facts/service.ts'
import type { IdentityService } from '../../../memory/identity/service.ts'
import type { MemoryService, OpenQuestion } from '../../../memory/memories/service.ts'
import { readableOwners } from '../../../memory/wall.ts'
import type { NewIntent } from '../intents/service.ts'

/** The latest questions to consider; most may be dismissed by now. */
const MAX_QUESTIONS = 20
const MAX_TITLE_CHARS = 200

export interface Sources {
  facts: Pick<FactService, 'due' | 'upcoming' | 'untimed'>
  identity: Pick<IdentityService, 'conflicts'>
  memories: Pick<MemoryService, 'openQuestions'>
}

/**
 * The intents that follow from the memories of a user at a time, including those opened before. Each has
 * its own source, so that a changed memory opens another intent.
 */
export const proactiveIntents = async (
  { facts, identity, memories }: Sources,
  user: FactOwner,
  now: Date,
): Promise<NewIntent[]> => {
  const due = await facts.due(user, now)
  const untimed = await facts.untimed(user, now)
  const { conflicts } = await identity.conflicts(user)
  const names = [...subjectsOf(user), 'user', 'me']
  const { personal } = readableOwners(user, 'person')
  const questions = personal ? await memories.openQuestions(personal, names, MAX_QUESTIONS) : []
  return [
    ...due.map(reminderIntent),
    ...conflicts.map(conflictIntent),
    ...untimed.slice(0, MAX_QUESTIONS).map(untimedReminderIntent),
    ...questions.map(questionIntent),
  ]
}

/** The reminders after a time, next first. A task at a time is one reminder. */
export const upcomingReminders = async (
  { facts }: Pick<Sources, 'facts'>,
  user: FactOwner,
  now: Date,
): Promise<UpcomingReminder[]> => {
  const found = new Map<string, UpcomingReminder>()
  for (const { value, quote, dueAt, memoryId } of await facts.upcoming(user, now)) {
    const due_at = dueAt.toISOString()
    const key = `${due_at} ${value.toLowerCase()}`
    if (!found.has(key))
      found.set(key, { title: shortTitle(value), text: quote, due_at, memory_ids: [memoryId] })
  }
  return [...found.values()]
}

/** A task at a time is one reminder, even if several memories mention it. */
const reminderIntent = ({ factId, memoryId, value, quote, dueAt }: Reminder & { dueAt: Date }) =>
  withShortTitle({
    kind: 'reminder',
    source: `reminder:${hashOf(value.toLowerCase())}:${dueAt.toISOString()}`,
    title: value,
    text: quote,
    dueAt,
    data: { fact_id: factId, memory_ids: [memoryId] },
  })

const untimedReminderIntent = ({ factId, memoryId, value, quote, statedAt }: Reminder) =>
  withShortTitle({
    kind: 'question',
    source: `question:${factId}`,
    title: `When do you want to be reminded: ${value}?`,
    text: quote,
    dueAt: statedAt,
    data: { fact_id: factId, memory_ids: [memoryId] },
  })

const questionIntent = (question: OpenQuestion) =>
  withShortTitle({
    kind: 'question',
    source: `question:${question.memoryId}:${question.contentHash}`,
    title: question.content.split(/(?<=[.!?])\s+/).at(-1) ?? question.content,
    text: question.content,
    dueAt: question.askedAt,
    data: { memory_ids: [question.memoryId] },
  })

const conflictIntent = ({ anchor_key, values, since }: IdentityConflict) => {
  const claims = values.map(({ value }) => value)
  const claimsKey = JSON.stringify(claims.map((value) => value.toLowerCase()).toSorted())
  return withShortTitle({
    kind: 'conflict',
    source: `conflict:${anchor_key}:${hashOf(claimsKey)}`,
    title: `${anchor_key}: ${claims.join(' or ')}?`,
    text: values.map(({ quote }) => quote).join('\n'),
    dueAt: new Date(since),
    data: { anchor_key, memory_ids: values.map(({ memory_id }) => memory_id) },
  })
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

const withShortTitle = (intent: NewIntent): NewIntent => ({
  ...intent,
  title: shortTitle(intent.title),
})

const shortTitle = (title: string): string =>
  title.length > MAX_TITLE_CHARS ? `${title.slice(0, MAX_TITLE_CHARS - 1).toWellFormed()}…` : title
