import type { RecalledMemory } from '../../../shared/contract/recall.ts'
import { trustNote } from '../../../shared/origin.ts'
import { utf8Bytes } from '../../../shared/text/cost.ts'
import { sentencesAbout } from '../../../shared/text/sentences.ts'
import { wordsOf } from '../../../shared/text/words.ts'
import type { Stepwise } from '../../platform/event-loop.ts'
import { BYTES_PER_TOKEN, estimateTokens } from '../../platform/models/prompt.ts'
import { escapeMarks } from '../text/marks.ts'
import { inTimeOrder, momentsOf } from './moments.ts'

/** A memory gets at least so many tokens, if the budget has them: less than a sentence says nothing. */
export const MIN_ITEM_TOKENS = 24
interface LinesInput {
  question: string
  /** The project that the question is asked in: lines of others name theirs. */
  project: string | undefined
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
  /** The memories of the lines, in their order. */
  memories: RecalledMemory[]
}

/**
 * Quotes what fits into a budget: each memory with its date and author on a line, those of one day in the order
 * of their times. A long memory is cut to the sentences that fit the question best. One step is one memory.
 */
export function* quoteLines(input: LinesInput): Stepwise<MemoryLines> {
  const words = wordsOf(input.question)
  const momentOf = momentsOf(input.memories, input.timezone)
  const fitted: { line: string; memory: RecalledMemory }[] = []
  let left = input.maxTokens
  for (const memory of input.memories) {
    const head = headOf(memory, momentOf(memory), input.project)
    const room = Math.floor(Math.min(left, input.shareOf(left))) - estimateTokens(`\n${head}`)
    const text = cutToTokens(escapeMarks(oneLine(memory.content_text)), room, words)
    const tokens = estimateTokens(`\n${head}${text}`)
    if (VISIBLE.test(text) && tokens <= left) {
      fitted.push({ line: `${head}${text}`, memory })
      left -= tokens
    }
    yield
  }
  const ordered = inTimeOrder(fitted, ({ memory }) => memory, input.timezone)
  return { lines: ordered.map(({ line }) => line), memories: ordered.map(({ memory }) => memory) }
}

/** Not only blanks and characters without a shape. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

const headOf = (memory: RecalledMemory, moment: string, project: string | undefined): string => {
  const by = label(memory.author)
  const from = memory.project === project ? '' : label(memory.project)
  const note = trustNote(memory.source)
  return `- ${moment}${by && `, ${by}`}${from && `, project ${from}`}${note ? ` (${note})` : ''}: `
}

const label = (name: string | null): string =>
  escapeMarks(oneLine(name ?? ''))
    .slice(0, 100)
    .toWellFormed()

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The sentences of a text about some words, in at most so many tokens; empty where that says nothing. */
export const cutToTokens = (text: string, tokens: number, words: string[]): string =>
  estimateTokens(text) <= tokens || tokens >= MIN_ITEM_TOKENS / 2
    ? sentencesAbout(text, { limit: tokens * BYTES_PER_TOKEN, cost: utf8Bytes }, words)
    : ''
