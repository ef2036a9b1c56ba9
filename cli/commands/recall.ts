import { recall as row } from '../../shared/contract/memory.ts'
import type { Explanation, MemoryType, RecalledMemory } from '../../shared/schemas/memory.ts'
import { type Context, signedIn } from '../context.ts'
import { given } from '../given.ts'
import { type Io, oneLine, safe } from '../output.ts'

export interface RecallArgs {
  question: string[]
  limit?: number
  type?: MemoryType
  tag?: string[]
  thread?: string
  author?: string
  since?: string
  until?: string
  explain?: boolean
}

/** Prints the memories that answer a question best, best first. */
export const recall = async (context: Context, args: RecallArgs): Promise<void> => {
  const { io } = context
  const found = await signedIn(context).call(row, {
    body: {
      query: args.question.join(' '),
      ...given({
        limit: args.limit,
        memory_type: args.type,
        tags: args.tag,
        thread: args.thread,
        author: args.author,
        since: args.since,
        until: args.until,
        explain: args.explain,
      }),
    },
  })
  if (context.json) return io.printJson(found)
  if (found.count === 0)
    return io.note('Nothing was found. Try other words, or run: svc remember "…"')
  io.print(found.memories.map((memory) => block(memory, io)).join('\n\n'))
}

const block = (memory: RecalledMemory, io: Io): string => {
  const facts = [
    (memory.occurred_at ?? memory.created_at).slice(0, 10),
    memory.author,
    memory.thread && `thread ${memory.thread}`,
    `score ${rounded(memory.score)}`,
  ]
  const lines = [facts, memory.explanation ? reasons(memory.explanation) : []]
    .map((parts) => oneLine(parts.filter(Boolean).join(' · ')))
    .filter(Boolean)
    .map(io.dim)
  return [safe(memory.content_text), ...lines].join('\n')
}

const reasons = (explanation: Explanation) =>
  Object.entries(explanation).map(([arm, part]) => `${arm} ${rounded(part)}`)

const rounded = (value: number) => Number(value.toFixed(2))
