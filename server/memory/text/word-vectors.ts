import { readFileSync } from 'node:fs'
import { repositoryFile } from '../../platform/files.ts'
import { normalForm } from '../../platform/text/normal.ts'

const FILE = repositoryFile('server/memory/text/glove/words.bin')
const HEADER_BYTES = 16
/** A word has the weight `rank / (rank + this)`: common words count less (Arora et al., 2017). */
const HALF_WEIGHT_RANK = 75

interface WordVectors {
  dimensions: number
  stopWords: ReadonlySet<string>
  /** The index of each word's vector. */
  indexes: ReadonlyMap<string, number>
  /** The vectors in one array, 8 bits for each dimension. */
  values: Int8Array
  /** By index. */
  weightOf(index: number): number
}

/** Reads the file that `scripts/word-vectors.ts` writes. */
const read = (): WordVectors => {
  const file = readFileSync(FILE)
  const [count = 0, stopWordCount = 0, dimensions = 0, textLength = 0] = Array.from(
    { length: 4 },
    (_, i) => file.readUInt32LE(i * 4),
  )
  const valuesStart = HEADER_BYTES + textLength
  const names = file.toString('utf8', HEADER_BYTES, valuesStart).split('\n')
  const values = new Int8Array(file.buffer, file.byteOffset + valuesStart, count * dimensions)
  const words = names.slice(stopWordCount)
  return {
    dimensions,
    stopWords: new Set(names.slice(0, stopWordCount)),
    indexes: new Map(words.map((word, index) => [word, index])),
    values,
    weightOf(index) {
      const rank = stopWordCount + index + 1
      return rank / (rank + HALF_WEIGHT_RANK)
    },
  }
}

let loaded: WordVectors | undefined

/** Loaded on first use: 2 MB. */
export const wordVectors = (): WordVectors => {
  loaded ??= read()
  return loaded
}

/** Identifies the word vectors and the way they are added; it changes with either. */
export const GLOVE_MODEL = 'glove-2'
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
  const { dimensions, indexes, values, weightOf } = wordVectors()
  const sum = new Float32Array(dimensions)
  for (const word of words) {
    const index = indexes.get(word)
    if (index === undefined) continue
    const weight = weightOf(index)
    for (let d = 0; d < dimensions; d++)
      sum[d] = (sum[d] ?? 0) + weight * (values[index * dimensions + d] ?? 0)
  }
  return sum.some((value) => value !== 0) ? sum : undefined
}

/** A vector without its part in the direction of another. */
export const without = (vector: Float32Array, other: Float32Array): Float32Array => {
  const share = dot(vector, other) / (dot(other, other) || 1)
  return vector.map((value, d) => value - share * (other[d] ?? 0))
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

/** The cosine of the angle between two texts; undefined when most words of one are unknown. */
export const similarityOf = (one: string, other: string): number | undefined => {
  const [a, b] = [one, other].map((text) => {
    const words = contentWords(text)
    return isMostlyKnown(words) ? sentenceVector(words) : undefined
  })
  if (!a || !b) return undefined
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
