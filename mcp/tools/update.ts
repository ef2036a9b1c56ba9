import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import type { Input } from '../../shared/contract/common.ts'
import { getMemory, remember, updateMemory } from '../../shared/contract/index.ts'
import { Memory, Remembered, UpdateMemory } from '../../shared/contract/memories.ts'
import { expectResponse } from '../response.ts'
import { describeFields } from '../schema.ts'
import { headerOf } from '../text/memory-view.ts'
import { invalidArgument } from './arguments.ts'
import { doneWrite, settle, settledField } from './contradiction.ts'
import { callAbout, memoryId, readMemoryId } from './memory-id.ts'
import { Question } from './person.ts'
import { tool } from './tool.ts'
import { replacing, settling, Written, writtenTo, writtenView } from './written.ts'

export const updateTool = tool({
  name: 'update',
  title: 'Update a memory',
  description:
    'Changes a memory. Call it when the user says that a memory is wrong or no longer true: recall it first. If it was wrong, pass the corrected fields. If it was true and has changed since, also set supersede: the old memory is kept as the past, and a new one replaces it.',
  input: Type.Object({
    ...memoryId,
    supersede: Type.Optional(
      Type.Boolean({ description: 'True: it has changed. False: it was wrong.' }),
    ),
    ...describeFields(UpdateMemory, {
      content: 'The whole new text.',
      memory_type: 'As in remember.',
      importance: 'From 0 to 1.',
      tags: 'All labels.',
      occurred_at: 'When it happened.',
    }),
  }),
  accepted: UpdateMemory,
  output: Type.Object({ ...Written.properties, changed: Type.Boolean(), ...settledField }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, { memory_id: input, supersede, ...body }, { signal, person }) {
    const memory_id = readMemoryId(input)
    if (supersede !== undefined && typeof supersede !== 'boolean')
      throw invalidArgument('supersede', 'must be true or false')
    if (!supersede && Object.keys(body).length === 0)
      throw invalidArgument('content', 'is required, or another field to change')
    const change = async () => {
      const params = { memory_id }
      const done = doneWrite(person)
      if (done) {
        const written = { memory_id: done.memory_id }
        const response = await client.call(getMemory, { params: written, signal })
        return { memory: expectResponse(Memory, response), changed: true }
      }
      const old = expectResponse(Memory, await client.call(getMemory, { params, signal }))
      if (supersede) return { memory: await replace(client, old, body, signal), changed: true }
      // A repeated call adds no event to the history.
      if (isUnchanged(old, body)) return { memory: old, changed: false }
      const response = await client.call(updateMemory, { params, body, signal })
      return { memory: expectResponse(Memory, response), changed: true }
    }
    const { memory, changed } = await callAbout(client, [memory_id], change)
    const outcome = changed ? await settle(client, memory, person, signal) : { memory }
    if (outcome instanceof Question) return outcome
    const { settled } = outcome
    const view = await writtenView(client, outcome.memory, signal)
    return { ...view, changed, ...(settled && { settled }) }
  },
  text({ changed, ...memory }, { supersede }) {
    if (!changed)
      return `Nothing changed, because these are its present fields: ${headerOf(memory)}.`
    return supersede
      ? `Remembered${writtenTo(memory)} as ${headerOf(memory)}${replacing(memory)}${settling(memory)}.`
      : `Updated${writtenTo(memory)} ${headerOf(memory)}${settling(memory)}.`
  },
})

type Changes = Input<typeof UpdateMemory>

const isUnchanged = (memory: Memory, { content, occurred_at, ...changes }: Changes): boolean =>
  (content === undefined || content === memory.content_text) &&
  (occurred_at === undefined || instantOf(occurred_at) === instantOf(memory.occurred_at)) &&
  Object.entries(changes).every(([name, value]) =>
    isDeepStrictEqual(value, memory[name as keyof Memory]),
  )

/** NaN, which equals nothing, for an invalid time. */
const instantOf = (time: string | null): number | null => (time === null ? null : Date.parse(time))

/** Stores a new memory in the place of another one. Times are not kept: it holds from now on. */
const replace = async (
  client: Client,
  old: Memory,
  { content, ...changes }: Changes,
  signal: AbortSignal,
): Promise<Remembered> => {
  if (content === undefined) throw invalidArgument('content', 'is required with supersede')
  const {
    memory_id,
    memory_type,
    importance,
    tags,
    thread,
    author,
    agent_slug,
    project,
    metadata,
  } = old
  const kept = { memory_type, importance, tags, thread, author, agent_slug, project, metadata }
  const response = await client.call(remember, {
    body: { ...kept, ...changes, content, supersedes: memory_id },
    signal,
  })
  return expectResponse(Remembered, response)
}
