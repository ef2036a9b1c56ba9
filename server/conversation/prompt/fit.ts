import { estimateTokens } from '../../platform/models/tokens.ts'

/** As the estimate reckons. */
const BYTES_PER_TOKEN = 3
const CUT = '\n[… cut …]'

/** The beginning of a text that has about so many tokens, marked where it was cut. */
export const cutTo = (text: string, tokens: number): string => {
  if (estimateTokens(text) <= tokens) return text
  const bytes = Math.max(0, tokens * BYTES_PER_TOKEN - Buffer.byteLength(CUT))
  // The last character may be cut in two.
  return `${Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, '')}${CUT}`
}

/**
 * Cuts texts so that they have so many tokens together: the short ones are left whole, and the long
 * ones share the rest.
 */
export const share = <T extends { text: string }>(items: T[], tokens: number): T[] => {
  let left = tokens
  let open = items.length
  const cut = new Map<T, string>()
  for (const item of items.toSorted((a, b) => a.text.length - b.text.length)) {
    const text = cutTo(item.text, Math.floor(left / open))
    left -= estimateTokens(text)
    open -= 1
    cut.set(item, text)
  }
  return items.map((item) => ({ ...item, text: cut.get(item) ?? '' }))
}

/** As many from the beginning as have no more tokens together. */
export const firstWithin = <T>(items: T[], tokens: number, cost: (item: T) => number): T[] => {
  let left = tokens
  const end = items.findIndex((item) => {
    left -= cost(item)
    return left < 0
  })
  return end < 0 ? items : items.slice(0, end)
}
