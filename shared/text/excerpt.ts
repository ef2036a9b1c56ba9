import { costOf, endWithin, type TextLimit } from './cost.ts'
import { findWords, type Hit } from './words.ts'

export interface Excerpt {
  text: string
  isTruncated: boolean
}

/** How far a cut moves to the nearest space, so that it does not split a word. */
const SNAP_CHARS = 30
export const ELLIPSIS = '…'

/**
 * The part of a text with the most words of a query; its start if it has none.
 * @param cost of the whole text.
 */
export const excerpt = (
  text: string,
  budget: TextLimit,
  { cost, words }: { cost: number; words: string[] },
): Excerpt => {
  if (cost <= budget.limit) return { text, isTruncated: false }
  const marks = 2 * costOf(ELLIPSIS, budget)
  const limit = Math.max(0, budget.limit - marks)
  const length = Math.floor((text.length * limit) / cost)
  const start = findStart(text, findWords(text, words), length)
  const end = endWithin(text, start, { ...budget, limit })
  const cut = text.slice(start, end === text.length ? end : spaceBefore(text, start, end))
  const before = start > 0 ? ELLIPSIS : ''
  return { text: `${before}${cut}${end < text.length ? ELLIPSIS : ''}`, isTruncated: true }
}

const findStart = (text: string, hits: Hit[], length: number): number => {
  const window = bestWindow(hits, length)
  if (!window) return 0
  const { first, last } = window
  // A third of the rest is context before the first word.
  const context = Math.floor((length - (last.end - first.at)) / 3)
  const wanted = Math.min(first.at - Math.max(0, context), text.length - length)
  return wanted <= SNAP_CHARS ? 0 : wordAfter(text, wanted, first.at)
}

/** The first and last word of the window with the most words. A word counts less if it is frequent. */
const bestWindow = (hits: Hit[], length: number): { first: Hit; last: Hit } | undefined => {
  const frequency = new Map<string, number>()
  for (const { word } of hits) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const inWindow = new Map<string, number>()
  let best: { first: Hit; last: Hit } | undefined
  let bestScore = 0
  let score = 0
  let left = 0
  const count = (word: string, change: 1 | -1) => {
    const before = inWindow.get(word) ?? 0
    inWindow.set(word, before + change)
    if (before + (change === 1 ? 0 : -1) === 0) score += change / (frequency.get(word) ?? 1)
  }
  for (const hit of hits) {
    count(hit.word, 1)
    for (let first = hits[left]; first && hit.end - first.at > length && first !== hit; ) {
      count(first.word, -1)
      first = hits[++left]
    }
    // Sums of fractions differ in their last digits.
    if (score <= bestScore + 1e-9) continue
    bestScore = score
    best = { first: hits[left] ?? hit, last: hit }
  }
  return best
}

/** The start of the next word, or at least of a code point. */
const wordAfter = (text: string, from: number, before: number): number => {
  for (let at = from; at < Math.min(from + SNAP_CHARS, before); at++)
    if (isSpace(text, at)) return at + 1
  return isInsideCodePoint(text, from) ? from + 1 : from
}

const spaceBefore = (text: string, start: number, end: number): number => {
  for (let at = end; at > Math.max(start, end - SNAP_CHARS); at--) if (isSpace(text, at)) return at
  return end
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text.charAt(at))

const isInsideCodePoint = (text: string, at: number): boolean =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
