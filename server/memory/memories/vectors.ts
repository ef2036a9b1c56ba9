import type { Query } from '../../platform/db/database.ts'
import {
  contentWords,
  GLOVE_LANGUAGE,
  isMostlyKnown,
  sentenceVector,
} from '../text/glove/sentence.ts'
import type { MemoryRow } from './table.ts'
import { encodeVector, type VectorCode } from './vector-code.ts'
import { BUILT_IN_MODEL } from './vector-model.ts'
import { findVectors, storeVectors } from './vectors-store.ts'

/** The built-in vector of a memory; undefined when most of its words are unknown. */
export const builtInVector = (content: string): VectorCode | undefined => {
  const words = contentWords(content)
  const vector = isMostlyKnown(words) ? sentenceVector(words) : undefined
  return vector && encodeVector(vector)
}

type Content = Pick<MemoryRow, 'seq' | 'contentHash' | 'contentText' | 'language'>

/** Stores the built-in vectors of memories that have none. */
export const storeBuiltInVectors = async (
  query: Query,
  ownerId: string,
  memories: Content[],
): Promise<void> => {
  const vectors = memories.flatMap(({ seq, contentHash, contentText, language }) => {
    const code = language === GLOVE_LANGUAGE ? builtInVector(contentText) : undefined
    return code ? [{ seq, contentHash, code }] : []
  })
  if (vectors.length) await storeVectors(query, BUILT_IN_MODEL, ownerId, vectors)
}

/** The same for memories most of which may have a vector: it computes only the missing ones. */
export const storeMissingBuiltInVectors = async (
  query: Query,
  ownerId: string,
  memories: (Content & Pick<MemoryRow, 'deletedAt'>)[],
): Promise<void> => {
  const existing = memories.filter(({ deletedAt }) => deletedAt === null)
  const seqs = existing.map(({ seq }) => seq)
  const found = await findVectors(query, BUILT_IN_MODEL, ownerId, seqs)
  await storeBuiltInVectors(
    query,
    ownerId,
    existing.filter(({ seq }) => !found.has(seq)),
  )
}
