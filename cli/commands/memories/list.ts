import { listMemories } from '../../../shared/contract/memory.ts'
import type { Memory, MemoryType } from '../../../shared/schemas/memory.ts'
import { type Context, signedIn } from '../../context.ts'
import { given } from '../../given.ts'
import { oneLine } from '../../output.ts'

export interface ListMemoriesArgs {
  limit?: number
  cursor?: string
  type?: MemoryType
  thread?: string
}

/** The server gives no more at once. */
const PAGE = 100
const USUAL = 30

const header = ['ID', 'DATE', 'TYPE', 'MEMORY']

/** Lists memories, the newest first: as many as are asked for, page by page. */
export const list = async (context: Context, args: ListMemoriesArgs): Promise<void> => {
  const { io } = context
  const { memories, next_cursor } = await collect(context, args)
  if (context.json) return io.printJson({ memories, next_cursor })
  if (memories.length === 0) return io.note('There are none. To add one, run: svc remember "…"')
  io.printTable([header, ...memories.map(row)], 2)
  if (next_cursor) io.note(`There are more: svc memories list --cursor ${next_cursor}`)
}

const collect = async (context: Context, { limit = USUAL, ...args }: ListMemoriesArgs) => {
  const client = signedIn(context)
  const memories: Memory[] = []
  let cursor = args.cursor
  do {
    const page = await client.call(listMemories, {
      query: given({
        limit: Math.min(PAGE, limit - memories.length),
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
