import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import { getMemory, remember, updateMemory } from '../../shared/contract/index.ts'
import type { Input } from '../../shared/schemas/common.ts'
import { Memory, Remembered, UpdateMemory } from '../../shared/schemas/memories.ts'
import { expectResponse } from '../response.ts'
import { describeFields } from '../schema.ts'
import { confirmationOf } from '../text/memory-page.ts'
import { headerOf, MemoryView } from '../text/memory-view.ts'
import { invalidArgument } from './arguments.ts'
import { memoryId } from './get.ts'
import { MEMORY_TYPES } from './remember.ts'
import { tool } from './tool.ts'

export const updateTool = tool({
  name: 'update',
  title: 'Update a memory',
  description:
    'Changes a memory. Call it when the user says that a memory is wrong or no longer true: recall it first. If it was wrong, pass the corrected fields; the others stay. If it was true and has changed since, also set supersede: the old memory is kept as the past, and a new one with a new id replaces it.',
  input: Type.Object({
    ...memoryId,
    supersede: Type.Optional(
      Type.Boolean({ description: 'True: it has changed. False: it was wrong.' }),
    ),
    ...describeFields(UpdateMemory, {
      content: 'The whole new text.',
      memory_type: MEMORY_TYPES,
      importance: 'From 0 to 1.',
      tags: 'All labels, instead of the present ones.',
      occurred_at: 'When it happened.',
    }),
  }),
  output: MemoryView,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, { memory_id, supersede, ...body }, { signal }) {
    const params = { memory_id }
    const old = expectResponse(Memory, await client.call(getMemory, { params, signal }))
    if (supersede) return confirmationOf(await replace(client, old, body, signal))
    // A repeated call adds no event to the history.
    if (isUnchanged(old, body)) return confirmationOf(old)
    const response = await client.call(updateMemory, { params, body, signal })
    return confirmationOf(expectResponse(Memory, response))
  },
  text: (memory) =>
    memory.supersedes
      ? `Remembered as ${headerOf(memory)}, which replaces ${memory.supersedes}.`
      : `Updated ${headerOf(memory)}.`,
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
  const { memory_id, memory_type, importance, tags, thread, author, agent_slug, metadata } = old
  const kept = { memory_type, importance, tags, thread, author, agent_slug, metadata }
  const response = await client.call(remember, {
    body: { ...kept, ...changes, content, supersedes: memory_id },
    signal,
  })
  return expectResponse(Remembered, response)
}
