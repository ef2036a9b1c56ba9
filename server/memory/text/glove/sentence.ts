import { normalForm } from '../../../platform/text/normal.ts'
import { wordVectors } from './words.ts'

/** Identifies the word vectors and the way they are added; it changes with either. */
export const GLOVE_MODEL = 'glove-1'
/** The text search configuration of the words' language. */
export const GLOVE_LANGUAGE = 'english'

/** Fewer known words do not represent a text. */
const MIN_KNOWN_SHARE = 0.5

const WORD = /\p{L}[\p{L}\p{M}]*/gu
/** Endings after an apostrophe: don't, she's, they've. */
const CONTRACTION = /['’](?:s|t|d|m|re|ve|ll)(?![\p{L}])/giu

/** The words of a text without stop words, in lower case. */
export const contentWords = (text: string): string[] => {
  const { stopWords } = wordVectors()
  const words = normalForm(text).toLowerCase().replace(CONTRACTION, '').match(WORD) ?? []
  return words.filter((word) => word.length > 1 && !stopWords.has(word))
}

/** Whether enough of the words have a vector. */
export const isMostlyKnown = (words: readonly string[]): boolean => {
  const { indexes } = wordVectors()
  const known = words.filter((word) => indexes.has(word)).length
  return known >= words.length * MIN_KNOWN_SHARE
}

/** The weighted sum of the words' vectors; undefined when none has one. */
export const sentenceVector = (words: readonly string[]): Float32Array | undefined => {
  const { dimensions, indexes, weighted } = wordVectors()
  const sum = new Float32Array(dimensions)
  for (const word of words) {
    const index = indexes.get(word)
    if (index === undefined) continue
    for (let d = 0; d < dimensions; d++)
      sum[d] = (sum[d] ?? 0) + (weighted[index * dimensions + d] ?? 0)
  }
  return sum.some((value) => value !== 0) ? sum : undefined
}
