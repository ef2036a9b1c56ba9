import { setTimeout as pause } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { ApiFailure, type Client } from '../../shared/client.ts'
import { MemoryFacts } from '../../shared/contract/facts.ts'
import { IdentityConflicts } from '../../shared/contract/identity.ts'
import {
  getMemory,
  listConflicts,
  memoryFacts,
  resolveConflict,
} from '../../shared/contract/index.ts'
import { Memory } from '../../shared/contract/memories.ts'
import { features } from '../features.ts'
import { expectResponse } from '../response.ts'
import { type Person, type PersonAnswer, Question } from './person.ts'

/** How the person settled a contradiction. */
export const settledField = { settled: Type.Optional(Type.String()) }

const KEEP_BOTH = 'Keep both'
const MAX_QUOTE_CHARS = 200

/** The write is done when the question is asked. The next round continues from it, and writes nothing again. */
interface State {
  memory_id: string
  anchor_key: string
  /** The values that the person chose from. */
  values: string[]
}

/** The memory that an earlier round of the call has written; undefined in the first round. */
export const doneWrite = (person: Person): { memory_id: string } | undefined =>
  person.answer<State>()?.state

/**
 * Asks which memory holds if the written one contradicts another, and settles it with the answer.
 * @returns a question; or the memory as it is afterwards, and how it was settled.
 */
export const settle = async (
  client: Client,
  memory: Memory,
  person: Person,
  signal: AbortSignal,
): Promise<Question | { memory: Memory; settled?: string }> => {
  if (!person.canAnswer || memory.org_id !== null) return { memory }
  const answer = person.answer<State>()
  if (!answer) return (await findQuestion(client, memory, signal)) ?? { memory }
  const settled = await apply(client, answer, signal)
  if (settled === undefined) return { memory }
  const params = { memory_id: memory.memory_id }
  return {
    memory: expectResponse(Memory, await client.call(getMemory, { params, signal })),
    settled,
  }
}

const findQuestion = async (
  client: Client,
  { memory_id }: Memory,
  signal: AbortSignal,
): Promise<Question | undefined> => {
  if (!(await statesFacts(client, memory_id, signal))) return undefined
  const response = await client.call(listConflicts, { signal })
  const { conflicts } = expectResponse(IdentityConflicts, response)
  const conflict = conflicts.find(({ values }) =>
    values.some((value) => value.memory_id === memory_id),
  )
  if (!conflict) return undefined
  const { anchor_key } = conflict
  const lines = conflict.values.map(
    ({ value, quote, at }) => `- ${value}: “${clip(quote)}” (${at.slice(0, 10)})`,
  )
  const values = [...new Set(conflict.values.map(({ value }) => value))]
  return new Question(
    `These memories contradict each other. Which one holds?\n\n${lines.join('\n')}\n\nThe others are kept as superseded.`,
    { choice: { type: 'string', title: 'Which holds?', enum: [...values, KEEP_BOTH] } },
    { memory_id, anchor_key, values } satisfies State,
  )
}

/**
 * svc reads the facts of a memory within a moment after it was written. The count gives a busy server, which
 * answers each poll later, longer to read them. Without the facts nothing is asked.
 */
const FACTS_POLLS = 40
const FACTS_POLL_MS = 50
/** The longest time that a person waits for them. */
const FACTS_WAIT_MS = 10_000

const statesFacts = async (
  client: Client,
  memory_id: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const end = performance.now() + FACTS_WAIT_MS
  for (let poll = 0; poll < FACTS_POLLS && performance.now() < end; poll++) {
    const response = await client.call(memoryFacts, { params: { memory_id }, signal })
    const { facts, pending } = expectResponse(MemoryFacts, response)
    if (!pending) return facts.length > 0
    await pause(FACTS_POLL_MS, undefined, { signal })
  }
  return false
}

const clip = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ')]
  return characters.length > MAX_QUOTE_CHARS
    ? `${characters.slice(0, MAX_QUOTE_CHARS - 1).join('')}…`
    : characters.join('')
}

/**
 * @returns undefined if the person skipped the question, the client sent a value that was not shown, or the
 * contradiction has ended meanwhile.
 */
const apply = async (
  client: Client,
  { isAccepted, fields, state }: PersonAnswer<State>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (!isAccepted) return undefined
  const { anchor_key, values } = state
  if (fields.choice === KEEP_BOTH) {
    for (const { keepBoth } of features) await keepBoth?.(client, anchor_key, signal)
    return 'the user keeps both memories'
  }
  const chosen_value = values.find((value) => value === fields.choice)
  if (chosen_value === undefined) return undefined
  try {
    await client.call(resolveConflict, { body: { anchor_key, chosen_value }, signal })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
  return `the user chose ${JSON.stringify(chosen_value)}, and memories that contradict it are superseded`
}
