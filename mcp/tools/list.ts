import { Type } from '@sinclair/typebox'
import { PageSize } from '../../shared/contract/common.ts'
import { listMemories } from '../../shared/contract/index.ts'
import { MemoryList } from '../../shared/contract/memory-lists.ts'
import { expectResponse } from '../response.ts'
import { describeFields } from '../schema.ts'
import { budgetOf } from '../text/budget.ts'
import { fitMemories, listText, pageNotes } from '../text/memory-page.ts'
import { MemoryView } from '../text/memory-view.ts'
import { invalidArgument, maxCharsField, paging, takeMaxChars } from './arguments.ts'
import { tool } from './tool.ts'

const DEFAULT_LIMIT = 20

/** `tags` is not among them: an address has only single values. */
const { tags: _, ...filters } = listMemories.query.properties

export const listTool = tool({
  name: 'list',
  title: 'List memories',
  description:
    'Lists memories, the latest stored first. Call it when the user asks what was stored lately, under a tag, in a thread or in a period. To answer a question, call recall.',
  input: Type.Object({
    limit: PageSize(DEFAULT_LIMIT),
    ...describeFields(listMemories.query, {
      tag: 'Only this.',
      thread: 'Conversation.',
      memory_type: 'Only this.',
      author: 'Who wrote it.',
      since: 'Events from then.',
      until: 'Events before.',
      sort: 'By storing or by event.',
      deleted: 'Forgotten ones instead.',
    }),
    ...paging,
  }),
  accepted: Type.Object({ ...filters, ...maxCharsField }),
  output: Type.Object({
    memories: Type.Array(MemoryView),
    count: Type.Integer(),
    next_cursor: Type.Optional(Type.String()),
  }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, input, { signal }) {
    const { maxChars, rest: filter } = takeMaxChars(input)
    const budget = budgetOf(maxChars)
    checkFilter(filter)
    const query = { ...filter, limit: filter.limit ?? DEFAULT_LIMIT }
    const response = await client.call(listMemories, { query, signal })
    const { memories, next_cursor } = expectResponse(MemoryList, response)
    const shown = await fitMemories(memories, budget)
    const next = shown.length < memories.length ? shown.at(-1)?.memory_id : next_cursor
    return { memories: shown, count: shown.length, ...(next && { next_cursor: next }) }
  },
  text: ({ memories, next_cursor }) =>
    memories.length ? `${listText(memories)}${pageNotes(memories, next_cursor)}` : 'No memories.',
})

/** More than any filter may have. The server would refuse the address before it reads the filter. */
const MAX_FILTER_CHARS = 2_000

/** A query has texts only, so a list or an object would become one. @throws ToolCallError */
const checkFilter = (filter: object): void => {
  for (const [name, value] of Object.entries(filter)) {
    if (typeof value === 'object') throw invalidArgument(name, 'must be a single value')
    if (String(value).length > MAX_FILTER_CHARS) throw invalidArgument(name, 'is too long')
  }
}
