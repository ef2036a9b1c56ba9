import type { UsualSimilarity } from '../../memories/vectors.ts'

/** Of unit length; undefined for a text that the model refuses. */
export type Vector = number[] | undefined

/** Questions come before memories, and some models read another prefix before each. */
export type Purpose = 'question' | 'memory'

/** Where the vectors of texts come from. */
export interface VectorSource {
  /** The model, for people. */
  name: string
  /** It is reached over the network: one that does not answer in time is not asked for a while. */
  isRemote: boolean
  /** How long a recall waits for the vector of its question. */
  questionBudgetMs: number
  /** The model before its first response, where its files say it. */
  known?: { identity: string; dimensions: number; usual: UsualSimilarity } | undefined
  /** The languages that it knows; undefined: all. */
  languages?: readonly string[] | undefined
  /** The texts of one batch of memories. */
  batch: number
  /** Identifies comparable vectors. It may be known only after the first response. */
  identity(): string
  /**
   * The vectors of texts, in their order, all of one length.
   * @throws ModelFailure as models do; `malformed` for a response without such a vector for each text.
   */
  embed(texts: string[], purpose: Purpose, signal: AbortSignal): Promise<Vector[]>
  stop(): Promise<void>
}

export const PROVIDER = 'embedding'
/** Longer text is cut: models read a few hundred to some thousand tokens. */
export const MAX_CHARACTERS = 8_000
export const MAX_DIMENSIONS = 16_000

/** Does not cut a surrogate pair in two. */
export const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

export const normalize = (vector: number[]): Vector => {
  const norm = Math.hypot(...vector)
  return Number.isFinite(norm) && norm > 0 ? vector.map((value) => value / norm) : undefined
}
