import { encodeVector, type VectorModel } from '../memories/vectors.ts'
import type { VectorMatches } from './candidate-set.ts'
import type { CodeSearch, StoredCode } from './vector-column.ts'

/** The vector of a question, and the model that made it. */
export interface QuestionVector {
  model: VectorModel
  vector: readonly number[]
}

/**
 * Computes the vector of a question.
 * @param languages that it may be written in.
 * @returns undefined where the model does not know the language, or does not answer in time.
 */
export type EmbedQuestion = (
  text: string,
  languages: readonly string[],
) => Promise<QuestionVector | undefined>

/** How many of the nearest memories by vector become candidates, for each result asked for. */
export const VECTOR_MATCHES_PER_RESULT = 4
/** For each candidate wanted, how many are chosen by their signs and then compared in full. */
const OVERSAMPLE = 4
/** How many vectors show which similarities are usual among the owner's memories. */
export const SAMPLE = 256

export const cosineSimilarity = (vector: ArrayLike<number>, stored: Int8Array): number => {
  let product = 0
  let vectorNorm = 0
  let storedNorm = 0
  for (let i = 0; i < stored.length; i++) {
    const a = vector[i] ?? 0
    const b = stored[i] ?? 0
    product += a * b
    vectorNorm += a * a
    storedNorm += b * b
  }
  return vectorNorm && storedNorm ? product / Math.sqrt(vectorNorm * storedNorm) : 0
}

/** Compares codes in full. */
const rankCodes = (
  { vector, model }: QuestionVector,
  { nearest, sample }: { nearest: StoredCode[]; sample: Int8Array[] },
  limit: number,
): Omit<VectorMatches, 'similarityOf'> => ({
  matches: nearest
    .map(({ seq, embedding }) => ({ seq, similarity: cosineSimilarity(vector, embedding) }))
    .toSorted((a, b) => b.similarity - a.similarity || a.seq - b.seq)
    .slice(0, limit),
  usual: sample.map((embedding) => cosineSimilarity(vector, embedding)),
  prior: model.usual,
})

/** Vectors in this process. */
interface VectorsInMemory {
  nearest(search: CodeSearch): StoredCode[]
  sample(count: number): Int8Array[]
  valuesOf(seq: number): Int8Array | undefined
}

/** Finds the memories nearest to a question among vectors in this process. */
export const searchCodes = (
  vectors: VectorsInMemory,
  question: QuestionVector,
  limit: number,
): VectorMatches => {
  const { bits } = encodeVector(question.vector)
  const nearest = vectors.nearest({ bits, maxCodes: limit * OVERSAMPLE })
  return {
    ...rankCodes(question, { nearest, sample: vectors.sample(SAMPLE) }, limit),
    similarityOf: (seq) => {
      const values = vectors.valuesOf(seq)
      return values && cosineSimilarity(question.vector, values)
    },
  }
}
