import { bitCount, withCapacity } from './columns.ts'

/** A search for the vectors nearest to one by their signs. */
export interface CodeSearch {
  /** The signs of the vector, as PostgreSQL writes a bit string. */
  bits: string
  maxCodes: number
}

/** A vector with the memory that it is of. */
export interface StoredCode {
  seq: number
  embedding: Int8Array
}

/** The distance of a memory without a vector, higher than any other: models have at most 16,000 dimensions. */
const NO_VECTOR = 0xffff

export const bytesPerVector = (dimensions: number): number =>
  wordsFor(dimensions) * 4 + dimensions + 2

/** The vectors of an owner's memories by document number. */
export class VectorColumn {
  readonly #dimensions: number
  readonly #width: number
  /** The signs. */
  #words = new Uint32Array(0)
  /** A signed 8-bit integer for each dimension. */
  #values = new Int8Array(0)
  #exists = new Uint8Array(0)
  #count = 0
  #distances = new Uint16Array(0)

  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#width = wordsFor(dimensions)
  }

  get bytes(): number {
    return this.#exists.length * bytesPerVector(this.#dimensions)
  }

  /**
   * @param bits the signs, padded to whole bytes, at `offset` bytes.
   * @param values the values, at `offset` vectors.
   */
  set(doc: number, bits: Uint8Array, values: Uint8Array, offset = 0): void {
    this.#count = Math.max(this.#count, doc + 1)
    if (this.#count > this.#exists.length) {
      this.#exists = withCapacity(this.#exists, this.#count)
      this.#words = withCapacity(this.#words, this.#exists.length * this.#width)
      this.#values = withCapacity(this.#values, this.#exists.length * this.#dimensions)
    }
    const byteWidth = Math.ceil(this.#dimensions / 8)
    copyToWords(
      bits.subarray(offset * byteWidth, (offset + 1) * byteWidth),
      this.#words,
      doc * this.#width,
    )
    const start = offset * this.#dimensions
    this.#values.set(values.subarray(start, start + this.#dimensions), doc * this.#dimensions)
    this.#exists[doc] = 1
  }

  remove(doc: number): void {
    if (doc < this.#count) this.#exists[doc] = 0
  }

  /**
   * The vectors whose signs differ least from `bits` (as PostgreSQL reads a bit string); among equal ones those
   * with the lowest `seq`.
   * @param accepts limits the memories.
   */
  nearest(
    { bits, maxCodes }: CodeSearch,
    seqs: Float64Array,
    accepts?: (doc: number) => boolean,
  ): StoredCode[] {
    const counts = this.#measure(bits, accepts)
    let farthest = 0
    let within = counts[0] ?? 0
    while (within < maxCodes && farthest < this.#dimensions) within += counts[++farthest] ?? 0
    const nearer: number[] = []
    const last: number[] = []
    for (let doc = 0; doc < this.#count; doc++) {
      const distance = this.#distances[doc] ?? NO_VECTOR
      if (distance < farthest) nearer.push(doc)
      else if (distance === farthest) last.push(doc)
    }
    if (within > maxCodes) last.sort((a, b) => (seqs[a] ?? 0) - (seqs[b] ?? 0))
    return [...nearer, ...last.slice(0, maxCodes - nearer.length)].flatMap((doc) => {
      const embedding = this.valuesOf(doc)
      return embedding ? [{ seq: seqs[doc] ?? 0, embedding }] : []
    })
  }

  /** Vectors from all over the column. */
  sample(count: number): Int8Array[] {
    const step = Math.max(1, Math.floor(this.#count / count))
    const found: Int8Array[] = []
    for (let doc = 0; doc < this.#count && found.length < count; doc += step) {
      const values = this.valuesOf(doc)
      if (values) found.push(values)
    }
    return found
  }

  has(doc: number): boolean {
    return this.#exists[doc] === 1
  }

  /** @returns undefined without a vector. */
  valuesOf(doc: number): Int8Array | undefined {
    return this.has(doc)
      ? this.#values.subarray(doc * this.#dimensions, (doc + 1) * this.#dimensions)
      : undefined
  }

  /** Fills the distances. @returns how many there are of each. */
  #measure(bits: string, accepts?: (doc: number) => boolean): Uint32Array {
    if (this.#distances.length < this.#count) this.#distances = new Uint16Array(this.#exists.length)
    const question = new Uint32Array(this.#width)
    copyToWords(packBits(bits), question, 0)
    const counts = new Uint32Array(this.#dimensions + 1)
    const words = this.#words
    const exists = this.#exists
    const distances = this.#distances
    const width = this.#width
    for (let doc = 0, count = this.#count; doc < count; doc++) {
      let distance = NO_VECTOR
      if (exists[doc] && (!accepts || accepts(doc))) {
        distance = 0
        for (let w = 0, at = doc * width; w < width; w++, at++)
          distance += bitCount((words[at] ?? 0) ^ (question[w] ?? 0))
      }
      distances[doc] = distance
      if (distance !== NO_VECTOR) counts[distance] = (counts[distance] ?? 0) + 1
    }
    return counts
  }
}

const wordsFor = (dimensions: number): number => Math.ceil(dimensions / 32)

/** A bit string of PostgreSQL as bytes, the first bit highest. */
const packBits = (bits: string): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (let i = 0; i < bits.length; i++)
    if (bits[i] === '1') bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (0x80 >> (i & 7))
  return bytes
}

/** Copies bytes into words of 32 bits, from `at` on. */
const copyToWords = (bytes: Uint8Array, words: Uint32Array, at: number): void => {
  for (let i = 0; i < bytes.length; i += 4, at++)
    words[at] =
      (bytes[i] ?? 0) |
      ((bytes[i + 1] ?? 0) << 8) |
      ((bytes[i + 2] ?? 0) << 16) |
      ((bytes[i + 3] ?? 0) << 24)
}
