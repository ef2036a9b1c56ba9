import { recall as row } from '../../shared/contract/recall.ts'
import type { MemoryType } from '../../shared/schemas/memories.ts'
import type { Explanation, RecalledMemory } from '../../shared/schemas/recall.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { type Io, oneLine, stripControls } from '../output.ts'

interface RecallArgs {
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

/** Prints the memories that best answer a question, best first. */
export const runRecall = async (context: Context, args: RecallArgs): Promise<void> => {
  const { io } = context
  const found = await signedInClient(context).call(row, {
    body: {
      query: args.question.join(' '),
      ...definedFields({
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
    return io.info('No memories found. Try other words, or run: svc remember "…"')
  await io.page(found.memories.map((memory) => block(memory, io)).join('\n\n'))
}

const block = (memory: RecalledMemory, io: Io): string => {
  const facts = [
    (memory.occurred_at ?? memory.created_at).slice(0, 10),
    memory.author,
    memory.thread && `thread ${memory.thread}`,
    `score ${rounded(memory.score)}`,
  ]
  const lines = [facts.filter(Boolean).join(' · '), ...explainScore(memory.explanation)]
  return [stripControls(memory.content_text), ...lines.map((line) => io.dim(oneLine(line)))].join(
    '\n',
  )
}

/** The summands of the score and its factors. */
const explainScore = (explanation: Explanation | undefined): string[] => {
  if (!explanation) return []
  const { words, coverage, thread, semantic, time, fact, ...factors } = explanation
  const sum = words * coverage + thread + semantic + time + fact
  const added = Object.entries({ thread, semantic, time, fact }).flatMap(([part, value]) =>
    value ? [`${part} ${rounded(value)}`] : [],
  )
  const multiplied = Object.entries(factors).flatMap(([factor, value]) =>
    rounded(value) === 1 ? [] : [`× ${rounded(value)} ${factor}`],
  )
  return [
    `added: ${[`words ${rounded(words)} × coverage ${rounded(coverage)}`, ...added].join(' + ')} = ${rounded(sum)}`,
    ...(multiplied.length ? [`multiplied: ${multiplied.join(' ')}`] : []),
  ]
}

const rounded = (value: number) => Number(value.toFixed(2))
