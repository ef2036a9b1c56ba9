/** The similarities of texts that have nothing to do with each other. */
export interface UsualSimilarity {
  mean: number
  deviation: number
}

/** Only vectors of the same model and length are compared. */
export interface VectorModel {
  /** Stored with each vector. */
  id: number
  dimensions: number
  /** Undefined where it is not known. */
  usual?: UsualSimilarity | undefined
}

/** A positive 32-bit integer. */
const idOf = (name: string): number =>
  new Bun.CryptoHasher('sha256').update(name).digest().readUInt32BE() >>> 1

export const vectorModel = (
  name: string,
  dimensions: number,
  usual?: UsualSimilarity,
): VectorModel => ({
  id: idOf(`${name}/${dimensions}`),
  dimensions,
  usual,
})

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
