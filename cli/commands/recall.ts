import type { MemoryType, Trust } from '../../shared/contract/memories.ts'
import {
  type Explanation,
  type RecalledMemory,
  recall as row,
} from '../../shared/contract/recall.ts'
import { listedMoments } from '../../shared/moments.ts'
import { trustNote } from '../../shared/origin.ts'
import { withRelativeScores } from '../../shared/score.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { nameCommand } from '../executable.ts'
import { type Io, oneLine, stripControls } from '../output.ts'
import { passageOf } from './passage.ts'

interface RecallArgs {
  question: string[]
  limit?: number
  format?: 'text'
  maxTokens?: number
  type?: MemoryType
  tag?: string[]
  thread?: string
  project?: string
  author?: string
  since?: string
  until?: string
  minTrust?: Trust
  explain?: boolean
}

/** Prints the memories that best answer a question, best first. */
export const runRecall = async (context: Context, args: RecallArgs): Promise<void> => {
  const { io } = context
  const query = args.question.join(' ')
  const found = await signedInClient(context).call(row, {
    body: {
      query,
      ...definedFields({
        limit: args.limit,
        format: args.format,
        max_tokens: args.maxTokens,
        memory_type: args.type,
        tags: args.tag,
        thread: args.thread,
        project: args.project,
        author: args.author,
        since: args.since,
        until: args.until,
        min_trust: args.minTrust,
        explain: args.explain,
      }),
    },
  })
  if (context.json) return io.printJson(found)
  if (found.count === 0)
    return io.info('No memories found. Try other words, or run: svc remember "…"')
  if (found.text) return io.page(stripControls(found.text))
  const momentOf = listedMoments(found.memories)
  const blocks = withRelativeScores(found.memories).map((memory) =>
    block(memory, { moment: momentOf(memory), query }, io),
  )
  await io.page(blocks.join('\n\n'))
}

const block = (
  memory: RecalledMemory,
  { moment, query }: { moment: string; query: string },
  io: Io,
): string => {
  const { text, isCut } = showText(stripControls(memory.content_text), query, io)
  const facts = [
    moment,
    memory.author,
    trustNote(memory.source),
    memory.project && `project ${memory.project}`,
    memory.thread && `thread ${memory.thread}`,
    `score ${rounded(memory.score)}`,
    isCut && nameCommand(`the whole text: svc show ${memory.memory_id}`, io.runtime),
  ]
  const lines = [facts.filter(Boolean).join(' · '), ...explainScore(memory.explanation)]
  return [text, ...lines.map((line) => io.dim(oneLine(line)))].join('\n')
}

/** At a terminal, the passage that matches is bold, and a long text is cut around it. */
const showText = (text: string, question: string, io: Io): { text: string; isCut: boolean } => {
  if (!io.stdoutIsTerminal) return { text, isCut: false }
  const { before, match, after, isCut } = passageOf(text, question)
  return { text: before + (match && io.bold(match)) + after, isCut }
}

/** The summands of the score and its factors, on the scale of the score. */
const explainScore = (explanation: Explanation | undefined): string[] => {
  if (!explanation) return []
  const { words, coverage, semantic, time, fact, ...factors } = explanation
  const sum = words * coverage + semantic + time + fact
  const added = Object.entries({ semantic, time, fact }).flatMap(([part, value]) =>
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
