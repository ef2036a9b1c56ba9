/** A stored vector: its signs, to search by, and 8 bits for each dimension, to compare by. */
export interface VectorCode {
  /** A character for each dimension, as PostgreSQL reads a bit string. */
  bits: string
  /** Signed 8-bit integers in base64, the largest of them 127. */
  embedding: string
}

const LARGEST = 127

/** @param vector not the zero vector. */
export const encodeVector = (vector: ArrayLike<number>): VectorCode => {
  const values = Array.from(vector)
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const bytes = Int8Array.from(values, (value) => Math.round((value / largest) * LARGEST))
  return {
    bits: values.map((value) => (value > 0 ? '1' : '0')).join(''),
    embedding: Buffer.from(bytes.buffer).toString('base64'),
  }
}

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
