import { estimateTokens } from '../platform/models/prompt.ts'

/** The ratio that `estimateTokens` uses. */
const BYTES_PER_TOKEN = 3
const CUT = '\n[… cut …]'

/** The beginning of a text, of at most about so many tokens, marked where it was cut. */
export const truncateToTokens = (text: string, tokens: number): string => {
  if (estimateTokens(text) <= tokens) return text
  const bytes = Math.max(0, tokens * BYTES_PER_TOKEN - Buffer.byteLength(CUT))
  // The cut may fall within a character, which decodes to U+FFFD.
  return `${Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, '')}${CUT}`
}

/** Truncates texts to so many tokens together: short ones stay whole, long ones share the rest. */
export const shareTokens = <T extends { text: string }>(items: T[], tokens: number): T[] => {
  let left = tokens
  let open = items.length
  const truncated = new Map<T, string>()
  for (const item of items.toSorted((a, b) => a.text.length - b.text.length)) {
    const text = truncateToTokens(item.text, Math.floor(left / open))
    left -= estimateTokens(text)
    open -= 1
    truncated.set(item, text)
  }
  return items.map((item) => ({ ...item, text: truncated.get(item) ?? '' }))
}

/** The first items that have at most so many tokens together. */
export const takeWithinTokens = <T>(
  items: T[],
  tokens: number,
  tokensOf: (item: T) => number,
): T[] => {
  let left = tokens
  const end = items.findIndex((item) => {
    left -= tokensOf(item)
    return left < 0
  })
  return end < 0 ? items : items.slice(0, end)
}
