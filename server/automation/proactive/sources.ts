import { createHash } from 'node:crypto'
import type { IdentityConflict } from '../../../shared/schemas/identity.ts'
import type { FactService, Person, Reminder } from '../../memory/facts/service.ts'
import { subjectsOf } from '../../memory/facts/service.ts'
import type { IdentityService } from '../../memory/identity/service.ts'
import type { MemoryService, Question } from '../../memory/memories/service.ts'
import type { Opening } from '../intents/service.ts'

/** So many of the latest questions are looked at, most of which may be dismissed by now. */
const MAX_QUESTIONS = 20
const MAX_TITLE = 200

export interface Sources {
  facts: Pick<FactService, 'due' | 'untimed'>
  identity: Pick<IdentityService, 'conflicts'>
  memories: Pick<MemoryService, 'questions'>
}

/**
 * All that there is to bring up with somebody at a time, whether or not they were asked before. Each
 * has a source of its own: what changes is another thing to bring up.
 */
export const openingsFor = async (
  { facts, identity, memories }: Sources,
  person: Person,
  now: Date,
): Promise<Opening[]> => {
  const due = await facts.due(person, now)
  const untimed = await facts.untimed(person, now)
  const { conflicts } = await identity.conflicts(person)
  const names = [...subjectsOf(person), 'user', 'me']
  const asked = await memories.questions(person.userId, names, MAX_QUESTIONS)
  return [
    ...due.map(reminded),
    ...conflicts.map(contradicted),
    ...untimed.slice(0, MAX_QUESTIONS).map(whenIs),
    ...asked.map(noted),
  ]
}

/** The same task at the same time is one reminder, in however many memories it stands. */
const reminded = ({ factId, memoryId, value, quote, dueAt }: Reminder & { dueAt: Date }) =>
  opening({
    kind: 'reminder',
    source: `reminder:${hashOf(value.toLowerCase())}:${dueAt.toISOString()}`,
    title: value,
    text: quote,
    dueAt,
    data: { fact_id: factId, memory_ids: [memoryId] },
  })

const whenIs = ({ factId, memoryId, value, quote, askedAt }: Reminder) =>
  opening({
    kind: 'question',
    source: `question:${factId}`,
    title: `When do you want to be reminded: ${value}?`,
    text: quote,
    dueAt: askedAt,
    data: { fact_id: factId, memory_ids: [memoryId] },
  })

const noted = (question: Question) =>
  opening({
    kind: 'question',
    source: `question:${question.memoryId}:${question.contentHash}`,
    title: question.content.split(/(?<=[.!?])\s+/).at(-1) ?? question.content,
    text: question.content,
    dueAt: question.askedAt,
    data: { memory_ids: [question.memoryId] },
  })

const contradicted = ({ anchor_key, values, since }: IdentityConflict) => {
  const claims = values.map(({ value }) => value)
  const known = JSON.stringify(claims.map((value) => value.toLowerCase()).toSorted())
  return opening({
    kind: 'conflict',
    source: `conflict:${anchor_key}:${hashOf(known)}`,
    title: `${anchor_key}: ${claims.join(' or ')}?`,
    text: values.map(({ quote }) => quote).join('\n'),
    dueAt: new Date(since),
    data: { anchor_key, memory_ids: values.map(({ memory_id }) => memory_id) },
  })
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

const opening = (given: Opening): Opening => ({
  ...given,
  title:
    given.title.length > MAX_TITLE
      ? `${given.title.slice(0, MAX_TITLE - 1).toWellFormed()}…`
      : given.title,
})
