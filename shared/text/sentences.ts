import { costOf, type TextLimit } from './cost.ts'
import { ELLIPSIS, excerpt } from './excerpt.ts'
import { findWords, type Hit } from './words.ts'

interface Sentence {
  from: number
  to: number
  /** The cost of the text up to its beginning and to its end. */
  costs: { from: number; to: number }
}

/**
 * The sentences of a text around the most words of a query; its first ones if it has none. An ellipsis
 * marks where the text is cut. A sentence that is longer than the limit is cut between words.
 */
export const sentencesAbout = (text: string, budget: TextLimit, words: string[]): string => {
  const cost = costOf(text, budget)
  if (cost <= budget.limit) return text
  const limit = budget.limit - 2 * costOf(`${ELLIPSIS} `, budget)
  const sentences = sentencesOf(text, budget)
  let first = bestSentence(sentences, findWords(text, words))
  let last = first
  const sizeOf = (from: number, to: number): number =>
    (sentences[to]?.costs.to ?? Number.POSITIVE_INFINITY) - (sentences[from]?.costs.from ?? 0)
  if (sizeOf(first, last) > limit) return excerpt(text, budget, { cost, words }).text
  for (let isGrown = true; isGrown; ) {
    const [firstBefore, lastBefore] = [first, last]
    if (sizeOf(first, last + 1) <= limit) last += 1
    if (first > 0 && sizeOf(first - 1, last) <= limit) first -= 1
    isGrown = first < firstBefore || last > lastBefore
  }
  const shown = text.slice(sentences[first]?.from, sentences[last]?.to).trim()
  const before = first > 0 ? `${ELLIPSIS} ` : ''
  return `${before}${shown}${last < sentences.length - 1 ? ` ${ELLIPSIS}` : ''}`
}

/** The index of the sentence with the most words. A word counts less if it is frequent. */
const bestSentence = (sentences: Sentence[], hits: Hit[]): number => {
  const frequency = new Map<string, number>()
  for (const { word } of hits) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const scores = sentences.map(() => 0)
  let sentence = 0
  for (const { word, at } of hits) {
    while (at >= (sentences[sentence]?.to ?? Number.POSITIVE_INFINITY)) sentence += 1
    scores[sentence] = (scores[sentence] ?? 0) + 1 / (frequency.get(word) ?? 1)
  }
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  return scores.indexOf(best)
}

const sentencesOf = (text: string, budget: TextLimit): Sentence[] => {
  let cost = 0
  return Array.from(segmenter().segment(text), ({ index, segment }) => {
    const from = cost
    cost += costOf(segment, budget)
    return { from: index, to: index + segment.length, costs: { from, to: cost } }
  })
}

let shared: Intl.Segmenter | undefined
const segmenter = () => {
  shared ??= new Intl.Segmenter('und', { granularity: 'sentence' })
  return shared
}
