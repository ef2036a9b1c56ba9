import { Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import type { Input } from '../../shared/contract/common.ts'
import { recall } from '../../shared/contract/index.ts'
import {
  DEFAULT_RECALL_LIMIT,
  MAX_RECALL_LIMIT,
  Recall,
  RecallResult,
} from '../../shared/contract/recall.ts'
import { withRelativeScores } from '../../shared/score.ts'
import { MEMORIES_APP_URI } from '../app/resource.ts'
import { expectResponse } from '../response.ts'
import { describeFields } from '../schema.ts'
import { budgetOf } from '../text/budget.ts'
import { fitMemories, listText, pageNotes } from '../text/memory-page.ts'
import { MemoryView } from '../text/memory-view.ts'
import { invalidArgument, maxCharsField, paging, takeMaxChars } from './arguments.ts'
import { tool } from './tool.ts'

export const recallTool = tool({
  name: 'recall',
  title: 'Recall memories',
  description:
    'Finds the user’s memories about a subject, best match first. Call it before you answer anything that may depend on earlier conversations (preferences, people, plans, decisions), at the start of a task, and before update or forget. If nothing is found, say so.',
  input: Type.Object({
    ...describeFields(Recall, {
      query: 'The question in its own words.',
      limit: `Default: ${DEFAULT_RECALL_LIMIT}.`,
      format: 'text: shorter, no ids.',
      max_tokens: 'Of the format text.',
      memory_type: 'Only this.',
      tags: 'All of them.',
      thread: 'Conversation.',
      project: 'Only this.',
      author: 'Who wrote it.',
      since: 'Events from then.',
      until: 'Events before.',
      as_of: 'What was valid then.',
    }),
    ...paging,
  }),
  accepted: Type.Object({ ...Recall.properties, ...maxCharsField }),
  output: Type.Object({
    memories: Type.Array(MemoryView),
    count: Type.Integer(),
    text: Type.Optional(Type.String()),
    next_cursor: Type.Optional(Type.String()),
  }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  app: { resourceUri: MEMORIES_APP_URI },
  async call(client, args, { signal, connection }) {
    const { project } = connection
    const input = { ...(project && { in_project: project }), ...withoutScope(args) }
    if (input.format === 'text') return recallAsText(client, input, signal)
    const { maxChars, rest } = takeMaxChars(input)
    const { cursor, ...body } = rest
    const budget = budgetOf(maxChars)
    const skipped = readCursor(cursor)
    const limit = body.limit ?? DEFAULT_RECALL_LIMIT
    const response = await client.call(recall, {
      body: { ...body, limit: page(skipped, limit) },
      signal,
    })
    const memories = withRelativeScores(expectResponse(RecallResult, response).memories)
    const shown = await fitMemories(memories.slice(skipped, skipped + limit), budget, body.query)
    const end = skipped + shown.length
    return {
      memories: shown,
      count: shown.length,
      ...(end < memories.length && { next_cursor: String(end) }),
    }
  },
  text: ({ memories, next_cursor, text }) =>
    memories.length
      ? `${listText(memories)}${pageNotes(memories, next_cursor)}`
      : text || 'No memories found.',
})

/** A model that acts in an organization reads the memories of the organization alone. */
const withoutScope = <T extends object>(args: T): T => {
  const { scope: _, ...rest } = args as T & { scope?: unknown }
  return rest as unknown as T
}

/** @throws ToolCallError for the arguments of pages, which the compact text does not have. */
const recallAsText = async (
  client: Client,
  { max_chars, cursor, ...body }: Input<typeof Recall> & { max_chars?: number; cursor?: string },
  signal: AbortSignal,
) => {
  if (max_chars !== undefined) throw invalidArgument('max_chars', 'for text, use max_tokens')
  if (cursor !== undefined) throw invalidArgument('cursor', 'must be left out for text')
  const response = await client.call(recall, { body, signal })
  const { count, text = '' } = expectResponse(RecallResult, response)
  return { memories: [], count, text }
}

/** One more than needed shows whether there are more. An invalid limit is left to the server. */
const page = (skipped: number, limit: number): number =>
  Number.isInteger(limit) && limit > 0 && limit <= MAX_RECALL_LIMIT
    ? Math.min(skipped + limit + 1, MAX_RECALL_LIMIT)
    : limit

/** A cursor is the number of memories that were returned. */
const readCursor = (cursor: string | undefined): number => {
  if (cursor === undefined) return 0
  if (/^[1-9]\d?$/.test(cursor)) return Number(cursor)
  throw invalidArgument('cursor', 'must be the cursor of a previous answer')
}
