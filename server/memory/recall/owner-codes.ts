import type { StoredCode } from './vector-search-store.ts'

/** Stored vectors in the order of `seq`, the values of each column one after the other. */
export interface CodeColumns {
  /** Big-endian 64-bit integers. */
  seqs: Uint8Array
  /** The signs of each vector, padded to whole bytes. */
  bits: Uint8Array
  /** A signed 8-bit integer for each dimension. */
  embeddings: Uint8Array
}

/** The current vector of a memory; without `bits` it has none. */
export interface CodeChange {
  seq: number
  bits?: Uint8Array
  embedding?: Uint8Array
}

const MIN_CAPACITY = 64

export type OwnerCodes = ReturnType<typeof createOwnerCodes>

/** The vectors of an owner's live memories, in the order of `seq`. They have at most 254 dimensions. */
export const createOwnerCodes = (dimensions: number) => {
  const width = wordsFor(dimensions)
  const byteWidth = Math.ceil(dimensions / 8)
  let arrays = createArrays(0, dimensions)
  let count = 0
  let removedCount = 0

  const reserve = (wanted: number): void => {
    if (wanted <= arrays.seqs.length) return
    const capacity = Math.max(wanted, Math.ceil(count * 1.25), MIN_CAPACITY)
    arrays = copyArrays(arrays, createArrays(capacity, dimensions))
  }

  return {
    bytes: (): number => arrays.seqs.length * bytesPerCode(dimensions),

    /** Whether most are of memories that have no vector any more. */
    isMostlyRemoved: (): boolean => removedCount > count / 2,

    /** Adds vectors with a higher `seq` than all before. */
    append(columns: CodeColumns): void {
      const view = new DataView(columns.seqs.buffer, columns.seqs.byteOffset)
      const added = columns.seqs.length / 8
      reserve(count + added)
      for (let i = 0; i < added; i++) {
        arrays.seqs[count + i] = view.getUint32(i * 8) * 2 ** 32 + view.getUint32(i * 8 + 4)
        const start = i * byteWidth
        copyToWords(columns.bits, start, start + byteWidth, arrays.words, (count + i) * width)
      }
      arrays.embeddings.set(columns.embeddings, count * dimensions)
      count += added
    },

    /** Replaces, adds or removes the vector of a memory. */
    apply({ seq, bits, embedding }: CodeChange): void {
      const at = findPosition(arrays.seqs, count, seq)
      const exists = at < count && arrays.seqs[at] === seq
      const wasRemoved = exists && arrays.isRemoved[at] === 1
      if (!bits || !embedding) {
        if (!exists || wasRemoved) return
        arrays.isRemoved[at] = 1
        removedCount++
        return
      }
      if (wasRemoved) removedCount--
      if (!exists) {
        reserve(count + 1)
        makeGap(arrays, at, count++, dimensions)
      }
      arrays.seqs[at] = seq
      arrays.isRemoved[at] = 0
      copyToWords(bits, 0, byteWidth, arrays.words, at * width)
      arrays.embeddings.set(embedding, at * dimensions)
    },

    /**
     * The vectors whose signs differ least from `bits` (as PostgreSQL reads a bit string), and at most in
     * `maxDistance`; among equal ones those with the lowest `seq`.
     */
    nearest(bits: string, maxDistance: number, limit: number): StoredCode[] {
      const question = new Uint32Array(width)
      copyToWords(packBits(bits), 0, byteWidth, question, 0)
      const { seqs, embeddings } = arrays
      const distances = distancesTo(question, arrays, count)
      return nearestPositions(distances, maxDistance, limit).map((at) => ({
        seq: seqs[at] ?? 0,
        embedding: embeddings.subarray(at * dimensions, (at + 1) * dimensions),
      }))
    },
  }
}

/** A bit string of PostgreSQL as bytes, the first bit highest. */
export const packBits = (bits: string): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (let i = 0; i < bits.length; i++)
    if (bits[i] === '1') bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (0x80 >> (i & 7))
  return bytes
}

/** Copies bytes from `start` to `end` into words of 32 bits, from `at` on. */
export const copyToWords = (
  bytes: Uint8Array,
  start: number,
  end: number,
  words: Uint32Array,
  at: number,
): void => {
  for (let i = start; i < end; i += 4, at++)
    words[at] =
      (bytes[i] ?? 0) |
      (i + 1 < end ? (bytes[i + 1] ?? 0) << 8 : 0) |
      (i + 2 < end ? (bytes[i + 2] ?? 0) << 16 : 0) |
      (i + 3 < end ? (bytes[i + 3] ?? 0) << 24 : 0)
}

/** The number of ones in 32 bits (Warren, Hacker's Delight, 2012, section 5-1). */
export const bitCount = (bits: number): number => {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

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
