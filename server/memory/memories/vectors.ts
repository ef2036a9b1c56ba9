import { contentWords, GLOVE_MODEL, isMostlyKnown, sentenceVector } from '../text/word-vectors.ts'

/** Only vectors of the same model and length are compared. */
export interface VectorModel {
  /** Stored with each vector. */
  id: number
  dimensions: number
  /** A memory's score is multiplied by exp(this × its cosine similarity): the better the model, the more. */
  similarityWeight: number
}

/** A positive 32-bit integer. */
const idOf = (name: string): number =>
  new Bun.CryptoHasher('sha256').update(name).digest().readUInt32BE() >>> 1

export const vectorModel = (
  name: string,
  dimensions: number,
  similarityWeight: number,
): VectorModel => ({
  id: idOf(`${name}/${dimensions}`),
  dimensions,
  similarityWeight,
})

/** Averages of word vectors say too little: 0.1 and 0.3 lowered recall (docs/explanation/recall.md). */
const BUILT_IN_WEIGHT = 0

export const BUILT_IN_MODEL = vectorModel(`svc/${GLOVE_MODEL}`, 100, BUILT_IN_WEIGHT)

/** A stored vector: its signs, to search by, and 8 bits for each dimension, to compare by. */
export interface VectorCode {
  /** A character for each dimension, as PostgreSQL reads a bit string. */
  bits: string
  /** Signed 8-bit integers in base64, the largest of them 127. */
  embedding: string
}

const LARGEST = 127

const [ZERO, ONE] = ['0', '1'].map((digit) => digit.charCodeAt(0)) as [number, number]

/** @param vector not the zero vector. */
export const encodeVector = (vector: ArrayLike<number>): VectorCode => {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0))
  // Each memory has one, so the loop creates no arrays of numbers.
  const embedding = Buffer.allocUnsafe(vector.length)
  const bits = Buffer.allocUnsafe(vector.length)
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] ?? 0
    embedding[i] = Math.round((value / largest) * LARGEST)
    bits[i] = value > 0 ? ONE : ZERO
  }
  return { bits: bits.toString('latin1'), embedding: embedding.toString('base64') }
}

/** The built-in vector of a memory; undefined when most of its words are unknown. */
export const builtInVector = (content: string): VectorCode | undefined => {
  const words = contentWords(content)
  const vector = isMostlyKnown(words) ? sentenceVector(words) : undefined
  return vector && encodeVector(vector)
}
