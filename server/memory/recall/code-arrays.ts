import { bitCount } from './bits.ts'

/** Columns of vectors, one element (or a fixed number of them) for each. */
export interface CodeArrays {
  seqs: Float64Array
  /** The signs. */
  words: Uint32Array
  embeddings: Int8Array
  isRemoved: Uint8Array
}

/** The distance of a removed vector, higher than any other. */
const REMOVED = 255

export const wordsFor = (dimensions: number): number => Math.ceil(dimensions / 32)

/** The bytes that a vector takes. */
export const bytesPerCode = (dimensions: number): number =>
  Float64Array.BYTES_PER_ELEMENT + wordsFor(dimensions) * 4 + dimensions + 1

export const createArrays = (capacity: number, dimensions: number): CodeArrays => ({
  seqs: new Float64Array(capacity),
  words: new Uint32Array(capacity * wordsFor(dimensions)),
  embeddings: new Int8Array(capacity * dimensions),
  isRemoved: new Uint8Array(capacity),
})

export const copyArrays = (from: CodeArrays, to: CodeArrays): CodeArrays => {
  to.seqs.set(from.seqs)
  to.words.set(from.words)
  to.embeddings.set(from.embeddings)
  to.isRemoved.set(from.isRemoved)
  return to
}

/** Moves the vectors from `at` to `count` by one place. */
export const makeGap = (
  arrays: CodeArrays,
  at: number,
  count: number,
  dimensions: number,
): void => {
  const width = wordsFor(dimensions)
  arrays.seqs.copyWithin(at + 1, at, count)
  arrays.words.copyWithin((at + 1) * width, at * width, count * width)
  arrays.embeddings.copyWithin((at + 1) * dimensions, at * dimensions, count * dimensions)
  arrays.isRemoved.copyWithin(at + 1, at, count)
}

/** The first position with this `seq` or a higher one. */
export const findPosition = (seqs: Float64Array, count: number, seq: number): number => {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] ?? 0) < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of signs of each vector that differ from those of a question. */
export const distancesTo = (
  question: Uint32Array,
  { words, isRemoved }: CodeArrays,
  count: number,
): Uint8Array => {
  const distances = new Uint8Array(count)
  for (let i = 0, at = 0; i < count; i++) {
    let distance = 0
    for (let w = 0; w < question.length; w++, at++)
      distance += bitCount((words[at] ?? 0) ^ (question[w] ?? 0))
    distances[i] = isRemoved[i] ? REMOVED : distance
  }
  return distances
}

/** The positions of the least distances, in order; among equal ones the first. */
export const nearestPositions = (
  distances: Uint8Array,
  maxDistance: number,
  limit: number,
): number[] => {
  const counts = new Uint32Array(REMOVED + 1)
  for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1
  let farthest = 0
  let within = counts[0] ?? 0
  while (within < limit && farthest < maxDistance) within += counts[++farthest] ?? 0
  /** How many of those at the farthest distance are among the nearest. */
  let remaining = (counts[farthest] ?? 0) - Math.max(0, within - limit)
  const positions: number[] = []
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i] ?? REMOVED
    if (distance < farthest || (distance === farthest && remaining-- > 0)) positions.push(i)
  }
  return positions
}
