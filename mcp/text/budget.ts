import type { TextLimit } from '../../shared/text/cost.ts'

/** How much text an answer may have. */
export interface Budget extends TextLimit {
  /** The smallest useful excerpt of a memory. */
  minimum: number
}

const DEFAULT_TOKENS = 4_000

const LINE_FEED = 0x0a

/** The tokens of a code point in o200k_base, rather overestimated for languages with spaces. */
const estimateTokens = (codePoint: number): number => {
  // With the indentation of the next line.
  if (codePoint === LINE_FEED) return 1
  if (codePoint < 0x80) return 0.25
  if (codePoint < 0x800) return 0.5
  return codePoint < 0x10000 ? 1 : 3
}

/** @param maxChars of the answer. Default: what is about 4,000 tokens. */
export const budgetOf = (maxChars?: number): Budget =>
  maxChars === undefined
    ? tokenBudget(DEFAULT_TOKENS)
    : { limit: maxChars, minimum: 200, cost: countIndented }

/** A line break is followed by an indentation of three characters. */
const countIndented = (codePoint: number): number => (codePoint === LINE_FEED ? 4 : 1)

export const tokenBudget = (limit: number): Budget => ({ limit, minimum: 50, cost: estimateTokens })

/** Divides a total: each gets what it needs, or the same share as the others that need more. */
export const divide = (needs: number[], total: number): number[] => {
  const shares = needs.map(() => 0)
  let left = total
  let waiting = needs.length
  for (const [index, need] of [...needs.entries()].sort(([, a], [, b]) => a - b)) {
    const share = Math.max(0, Math.min(need, left / waiting))
    shares[index] = share
    left -= share
    waiting--
  }
  return shares
}
