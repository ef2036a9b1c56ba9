import type { RecalledMemory } from '../../../shared/contract/recall.ts'
import { trustNote } from '../../../shared/origin.ts'
import { utf8Bytes } from '../../../shared/text/cost.ts'
import { sentencesAbout } from '../../../shared/text/sentences.ts'
import { wordsOf } from '../../../shared/text/words.ts'
import type { Stepwise } from '../../platform/event-loop.ts'
import { BYTES_PER_TOKEN, estimateTokens } from '../../platform/models/prompt.ts'
import { dayAt } from '../../platform/timezone.ts'
import { escapeMarks } from '../text/marks.ts'

/** A memory gets at least so many tokens, if the budget has them: less than a sentence says nothing. */
export const MIN_ITEM_TOKENS = 24
interface LinesInput {
  question: string
  /** Best first. */
  memories: RecalledMemory[]
  timezone: string
  /** The budget of all lines, each with a line break. */
  maxTokens: number
  /** The most tokens of the next line, when so many are left. */
  shareOf(left: number): number
}

interface MemoryLines {
  lines: string[]
  /** The memories of the lines. */
  memories: RecalledMemory[]
}

/**
 * Quotes what fits into a budget: each memory with its date and author on a line. A long memory is cut to
 * the sentences that fit the question best. One step is one memory.
 */
export function* quoteLines(input: LinesInput): Stepwise<MemoryLines> {
  const words = wordsOf(input.question)
  const fitted: MemoryLines = { lines: [], memories: [] }
  let left = input.maxTokens
  for (const memory of input.memories) {
    const head = headOf(memory, input.timezone)
    const room = Math.floor(Math.min(left, input.shareOf(left))) - estimateTokens(`\n${head}`)
    const text = cutToTokens(escapeMarks(oneLine(memory.content_text)), room, words)
    const tokens = estimateTokens(`\n${head}${text}`)
    if (VISIBLE.test(text) && tokens <= left) {
      fitted.lines.push(`${head}${text}`)
      fitted.memories.push(memory)
      left -= tokens
    }
    yield
  }
  return fitted
}

/** Not only blanks and characters without a shape. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

const headOf = (memory: RecalledMemory, timezone: string): string => {
  const { author, source } = memory
  const name = escapeMarks(oneLine(author ?? ''))
    .slice(0, 100)
    .toWellFormed()
  const by = name && `, ${name}`
  const note = trustNote(source)
  return `- ${memoryDay(memory, timezone)}${by}${note ? ` (${note})` : ''}: `
}

/** A date without a time is stored as midnight UTC. It is the same date in every time zone. */
const DATE_ONLY = /T00:00:00\.000Z$/

/** The date of a memory in the user's time zone, as `YYYY-MM-DD`. */
export const memoryDay = (
  { occurred_at, created_at }: Pick<RecalledMemory, 'occurred_at' | 'created_at'>,
  timezone: string,
): string =>
  occurred_at && DATE_ONLY.test(occurred_at)
    ? occurred_at.slice(0, 10)
    : dayAt(new Date(occurred_at ?? created_at), timezone)

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The sentences of a text about some words, in at most so many tokens; empty where that says nothing. */
export const cutToTokens = (text: string, tokens: number, words: string[]): string =>
  estimateTokens(text) <= tokens || tokens >= MIN_ITEM_TOKENS / 2
    ? sentencesAbout(text, { limit: tokens * BYTES_PER_TOKEN, cost: utf8Bytes }, words)
    : ''
