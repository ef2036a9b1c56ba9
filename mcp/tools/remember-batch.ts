import { Type } from '@sinclair/typebox'
import { rememberBatch } from '../../shared/contract/index.ts'
import {
  Remember,
  RememberBatch,
  Remembered,
  RememberedBatch,
} from '../../shared/contract/memories.ts'
import { expectResponse } from '../response.ts'
import { fieldsOf } from '../schema.ts'
import { invalidArgument } from './arguments.ts'
import { callAbout } from './memory-id.ts'
import { tool } from './tool.ts'
import { adding, organizationOf, replacing, writtenFields, writtenTo } from './written.ts'

/** The answer has a line for each. The endpoint takes 1,000. */
const MAX_MEMORIES = 100

export const rememberBatchTool = tool({
  name: 'remember_batch',
  title: 'Remember several things',
  description: `Stores up to ${MAX_MEMORIES} memories, all or none. Call it when there are several items to remember, as after a long conversation.`,
  input: Type.Object({
    memories: Type.Array(
      Type.Object(
        // The fields have the same names as those of `remember`, which describes them.
        fieldsOf(Remember, [
          ...(['content', 'memory_type', 'importance', 'tags'] as const),
          ...(['thread', 'author', 'occurred_at', 'supersedes'] as const),
        ]),
      ),
      { description: 'Each has the arguments of remember.' },
    ),
  }),
  accepted: RememberBatch,
  output: Type.Object({
    memories: Type.Array(
      Type.Object({
        memory_id: Type.String(),
        deduplicated: Type.Boolean(),
        supersedes: Type.Optional(Type.String()),
        added: Remembered.properties.added,
      }),
    ),
    count: Type.Integer(),
    ...writtenFields,
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, input, { signal }) {
    checkMemories(input.memories)
    const body = { memories: input.memories }
    const superseded = body.memories.flatMap((memory) => memory?.supersedes ?? [])
    if (new Set(superseded).size < superseded.length)
      throw invalidArgument('memories', 'two of them supersede the same memory')
    const response = await callAbout(client, superseded, () =>
      client.call(rememberBatch, { body, signal }),
    )
    const { memories, count } = expectResponse(RememberedBatch, response)
    const [first] = memories
    return {
      memories: memories.map(({ memory_id, deduplicated, supersedes, added }) => ({
        memory_id,
        deduplicated,
        ...(supersedes !== null && { supersedes }),
        ...(added && { added }),
      })),
      count,
      ...(first && (await organizationOf(client, first, signal))),
    }
  },
  text: ({ memories, ...written }) =>
    [
      `Remembered${writtenTo(written)}, in the order of the call:`,
      ...memories.map(
        ({ memory_id, deduplicated, supersedes, added }, index) =>
          `${index + 1}. ${memory_id}${deduplicated ? ' (remembered already)' : ''}${adding(added)}${replacing({ supersedes })}`,
      ),
    ].join('\n'),
})

/** The server reports the other mistakes, with the number of the memory. @throws ToolCallError */
const checkMemories = (memories: unknown): void => {
  if (!Array.isArray(memories)) throw invalidArgument('memories', 'must be a list of memories')
  if (memories.length > MAX_MEMORIES)
    throw invalidArgument('memories', `must have at most ${MAX_MEMORIES} memories`)
}
