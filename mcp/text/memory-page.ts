import { setImmediate } from 'node:timers/promises'
import type { Memory } from '../../shared/contract/memories.ts'
import { listedMoments } from '../../shared/moments.ts'
import { costOf } from '../../shared/text/cost.ts'
import { excerpt } from '../../shared/text/excerpt.ts'
import { wordsOf } from '../../shared/text/words.ts'
import { type Budget, divide, tokenBudget } from './budget.ts'
import { headerOf, type MemoryView, viewOf } from './memory-view.ts'

/** The number, indentation and line breaks of an item; and the tokens of an id beyond the estimate for words. */
const HEADER_COST = 20
/** The time that the header of a memory has in a list. */
const LISTED_TIME = ' 00:00 UTC'

const CONFIRMATION_TOKENS = 200

/** Of each line of a content, so that it stays one item of a list. */
const INDENT = '   '

const EXCERPT_NOTE =
  '\n\nMemories with … are excerpts: call get with the id for a whole one, or pass a larger max_chars.'
const cursorNote = (cursor: string) => `\n\nFor more, call again with cursor "${cursor}".`
/** The longest notes; a cursor is at most as long as an id. */
const NOTES = `${EXCERPT_NOTE}${cursorNote('0'.repeat(36))}`

/**
 * As many memories as fit the budget together with the notes, at least one, with excerpts of those that are
 * too long.
 */
export const fitMemories = async (
  memories: Memory[],
  budget: Budget,
  query = '',
): Promise<MemoryView[]> => {
  const step = createSteps()
  const limit = budget.limit - costOf(NOTES, budget)
  const shown: { memory: Memory; cost: number }[] = []
  let headers = 0
  let used = 0
  for (const memory of memories) {
    const header = headerCost(memory, budget)
    const cost = costOf(memory.content_text, budget)
    used += header + Math.min(cost, budget.minimum)
    if (shown.length > 0 && used > limit) break
    headers += header
    shown.push({ memory, cost })
    await step()
  }
  const needs = shown.map(({ cost }) => cost)
  const shares = divide(needs, limit - headers)
  const words = wordsOf(query)
  const views: MemoryView[] = []
  for (const [index, { memory, cost }] of shown.entries()) {
    const share = { ...budget, limit: shares[index] ?? 0 }
    views.push(viewOf(memory, excerpt(memory.content_text, share, { cost, words })))
    await step()
  }
  return views
}

const headerCost = (memory: Memory, budget: Budget): number =>
  HEADER_COST +
  costOf(`${headerOf(viewOf(memory, { text: '', isTruncated: false }))}${LISTED_TIME}`, budget)

/**
 * A stored memory with the start of its content, which the model knows already. An assistant needs no mark
 * for what an assistant wrote.
 */
export const confirmationOf = (memory: Memory): MemoryView => {
  const budget = tokenBudget(CONFIRMATION_TOKENS)
  const cost = costOf(memory.content_text, budget)
  const { trust, ...view } = viewOf(
    memory,
    excerpt(memory.content_text, budget, { cost, words: [] }),
  )
  return { ...view, ...(trust && trust !== 'assistant' && { trust }) }
}

/** The memories as a numbered list. */
export const listText = (memories: MemoryView[]): string => {
  const momentOf = listedMoments(memories)
  return memories.map((memory, index) => `${index + 1}. ${memoryText(memory, momentOf)}`).join('\n')
}

/** The header of a memory, and its content as an indented block. */
export const memoryText = (memory: MemoryView, momentOf = listedMoments([])): string =>
  `${headerOf(memory, momentOf)}\n${indent(memory.content_text)}`

export const indent = (text: string): string => INDENT + text.replaceAll('\n', `\n${INDENT}`)

/** How to read what is not shown. */
export const pageNotes = (memories: MemoryView[], cursor: string | undefined): string =>
  (memories.some(({ truncated }) => truncated) ? EXCERPT_NOTE : '') +
  (cursor === undefined ? '' : cursorNote(cursor))

/** The longest that a call keeps other requests of the process waiting. */
const STEP_MS = 5

/** Yields to the event loop when the last time is more than a few milliseconds ago. */
export const createSteps = () => {
  let yieldedAt = performance.now()
  return async (): Promise<void> => {
    if (performance.now() - yieldedAt < STEP_MS) return
    await setImmediate()
    yieldedAt = performance.now()
  }
}
