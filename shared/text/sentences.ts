import { ELLIPSIS, excerpt } from './excerpt.ts'
import { findWords, type Hit } from './words.ts'

interface Sentence {
  from: number
  to: number
}

/**
 * The sentences of a text around the most words of a query; its first ones if it has none. An ellipsis
 * marks where the text is cut. A sentence that is longer than the limit is cut between words.
 * @param limit in UTF-16 code units.
 */
export const sentencesAbout = (text: string, limit: number, words: string[]): string => {
  if (text.length <= limit) return text
  const length = limit - 2 * MARK_CHARS
  const sentences = sentencesOf(text)
  let first = bestSentence(sentences, findWords(text, words))
  let last = first
  const sizeOf = (from: number, to: number): number =>
    (sentences[to]?.to ?? Number.POSITIVE_INFINITY) - (sentences[from]?.from ?? 0)
  if (sizeOf(first, last) > length)
    return excerpt(text, { limit, cost: codeUnits }, { cost: text.length, words }).text
  for (let isGrown = true; isGrown; ) {
    const [firstBefore, lastBefore] = [first, last]
    if (sizeOf(first, last + 1) <= length) last += 1
    if (first > 0 && sizeOf(first - 1, last) <= length) first -= 1
    isGrown = first < firstBefore || last > lastBefore
  }
  const shown = text.slice(sentences[first]?.from, sentences[last]?.to).trim()
  const before = first > 0 ? `${ELLIPSIS} ` : ''
  return `${before}${shown}${last < sentences.length - 1 ? ` ${ELLIPSIS}` : ''}`
}

/** An ellipsis and a space. */
const MARK_CHARS = 2

const codeUnits = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1)

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

const sentencesOf = (text: string): Sentence[] =>
  Array.from(segmenter().segment(text), ({ index, segment }) => ({
    from: index,
    to: index + segment.length,
  }))

let shared: Intl.Segmenter | undefined
const segmenter = () => {
  shared ??= new Intl.Segmenter('und', { granularity: 'sentence' })
  return shared
}
