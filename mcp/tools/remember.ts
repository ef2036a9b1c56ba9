import { Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import type { Input } from '../../shared/contract/common.ts'
import { getMemory, remember } from '../../shared/contract/index.ts'
import { Memory, Remember, Remembered } from '../../shared/contract/memories.ts'
import { expectResponse } from '../response.ts'
import { describeFields } from '../schema.ts'
import { headerOf } from '../text/memory-view.ts'
import { doneWrite, settle, settledField } from './contradiction.ts'
import { callAbout } from './memory-id.ts'
import { type Person, Question } from './person.ts'
import { tool } from './tool.ts'
import { adding, replacing, settling, Written, writtenTo, writtenView } from './written.ts'

export const MEMORY_TYPES =
  'semantic: a fact; episodic: an event; procedural: how something is done; preference: what someone likes or wants.'

export const rememberTool = tool({
  name: 'remember',
  title: 'Remember something',
  description:
    'Stores a memory. Call it when the user states a lasting fact, a preference, a decision or its reason, or a plan, or asks you to remember something. One item per memory, clear on its own: names instead of pronouns, dates instead of "today". Store no secrets and nothing that you just recalled. If a memory was wrong or has changed, call update instead.',
  input: Type.Object(
    describeFields(Remember, {
      content: 'The text to remember.',
      memory_type: MEMORY_TYPES,
      importance: 'From 0 to 1.',
      tags: 'Labels to filter by.',
      thread: 'Conversation.',
      project: 'Of it alone.',
      author: 'Who said it.',
      occurred_at: 'When.',
      supersedes: 'The memory that it replaces.',
    }),
  ),
  accepted: Remember,
  output: Type.Object({
    ...Written.properties,
    deduplicated: Type.Boolean(),
    added: Remembered.properties.added,
    ...settledField,
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, body, { signal, person }) {
    const { memory, deduplicated, added } = await store(client, body, person, signal)
    const view = async (stored: Memory) => ({
      ...(await writtenView(client, stored, signal)),
      deduplicated,
      ...(added && { added }),
    })
    // It was asked about when it was stored.
    if (deduplicated) return view(memory)
    const outcome = await settle(client, memory, person, signal)
    if (outcome instanceof Question) return outcome
    const { settled } = outcome
    return { ...(await view(outcome.memory)), ...(settled && { settled }) }
  },
  text: ({ deduplicated, added, ...memory }) =>
    `${deduplicated ? 'Already remembered' : 'Remembered'}${writtenTo(memory)} as ${headerOf(memory)}${adding(added)}${replacing(memory)}${settling(memory)}.`,
})

/** Stores the memory, or reads it if an earlier round of the call has stored it. */
const store = async (
  client: Client,
  body: Input<typeof Remember>,
  person: Person,
  signal: AbortSignal,
): Promise<Pick<Remembered, 'deduplicated' | 'added'> & { memory: Memory }> => {
  const done = doneWrite(person)
  if (done) {
    const { memory_id } = done
    const response = await callAbout(client, [memory_id], () =>
      client.call(getMemory, { params: { memory_id }, signal }),
    )
    return { memory: expectResponse(Memory, response), deduplicated: false }
  }
  const response = await callAbout(client, body.supersedes ? [body.supersedes] : [], () =>
    client.call(remember, { body, signal }),
  )
  const memory = expectResponse(Remembered, response)
  const { deduplicated, added } = memory
  return { memory, deduplicated, ...(added && { added }) }
}
