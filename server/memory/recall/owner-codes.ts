import { copyToWords, packBits } from './bits.ts'
import {
  bytesPerCode,
  copyArrays,
  createArrays,
  distancesTo,
  findPosition,
  makeGap,
  nearestPositions,
  wordsFor,
} from './code-arrays.ts'
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
