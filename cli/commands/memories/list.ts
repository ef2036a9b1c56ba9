import { listMemories } from '../../../shared/contract/memories.ts'
import type { Memory, MemoryType } from '../../../shared/schemas/memories.ts'
import { commandLine } from '../../command-line.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { oneLine } from '../../output.ts'

export interface ListMemoriesArgs {
  limit?: number
  cursor?: string
  type?: MemoryType
  thread?: string
}

/** The limit of the server. */
const MAX_PAGE_SIZE = 100
const DEFAULT_LIMIT = 30

const header = ['ID', 'DATE', 'TYPE', 'MEMORY']

/** Lists memories, newest first. A limit above one page needs several requests. */
export const runMemoriesList = async (context: Context, args: ListMemoriesArgs): Promise<void> => {
  const { io } = context
  const { memories, next_cursor } = await collect(context, args)
  if (context.json) return io.printJson({ memories, next_cursor })
  if (memories.length === 0) return io.info('No memories. To add one, run: svc remember "…"')
  io.printTable([header, ...memories.map(row)], 2)
  if (!next_cursor) return
  const { limit, type, thread } = args
  const options = { limit, type, thread, cursor: next_cursor }
  io.info(`For more, run: ${commandLine(context, ['memories', 'list'], options)}`)
}

const collect = async (context: Context, { limit = DEFAULT_LIMIT, ...args }: ListMemoriesArgs) => {
  const client = signedInClient(context)
  const memories: Memory[] = []
  let cursor = args.cursor
  do {
    const page = await client.call(listMemories, {
      query: definedFields({
        limit: Math.min(MAX_PAGE_SIZE, limit - memories.length),
        cursor,
        thread: args.thread,
        memory_type: args.type,
      }),
    })
    memories.push(...page.memories)
    cursor = page.next_cursor ?? undefined
  } while (cursor && memories.length < limit)
  return { memories, next_cursor: cursor ?? null }
}

const row = (memory: Memory): string[] =>
  [
    memory.memory_id,
    (memory.occurred_at ?? memory.created_at).slice(0, 10),
    memory.memory_type,
    memory.content_text,
  ].map(oneLine)
