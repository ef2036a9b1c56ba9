import { GLOVE_MODEL } from '../text/glove/sentence.ts'

/** Only vectors of the same model and length are compared. */
export interface VectorModel {
  /** Stored with each vector. */
  id: number
  dimensions: number
}

/** A positive 32-bit integer. */
const idOf = (name: string): number =>
  new Bun.CryptoHasher('sha256').update(name).digest().readUInt32BE() >>> 1

export const vectorModel = (name: string, dimensions: number): VectorModel => ({
  id: idOf(`${name}/${dimensions}`),
  dimensions,
})

export const BUILT_IN_MODEL = vectorModel(`svc/${GLOVE_MODEL}`, 100)
