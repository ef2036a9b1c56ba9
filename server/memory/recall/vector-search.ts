import type { Query } from '../../platform/db/database.ts'
import { encodeVector, type VectorModel } from '../memories/vectors.ts'
import type { VectorMatch } from './candidate-set.ts'
import type { RecallFilter } from './filter-store.ts'
import {
  type CodeSearch,
  findNearestCodes,
  findNearestCodesInLanguage,
  type LanguageSearchResult,
  type StoredCode,
  type VectorQuestion,
} from './vector-search-store.ts'

/** For each result wanted, how many are chosen by their signs and then compared in full. */
const OVERSAMPLE = 4

export interface VectorSearch {
  model: VectorModel
  ownerId: string
  vector: ArrayLike<number>
  filter: RecallFilter
  limit: number
  /** The least cosine similarity. */
  minSimilarity: number
}

/**
 * The number of signs that differ at most between vectors of at least this similarity (Charikar, 2002),
 * with half a standard deviation: some that are only just similar enough are missed.
 */
const maxHammingDistance = (dimensions: number, similarity: number): number => {
  const share = Math.acos(similarity) / Math.PI
  return Math.ceil(dimensions * share + Math.sqrt(dimensions * share * (1 - share)) / 2)
}

const codeSearch = (search: VectorSearch): CodeSearch => ({
  ownerId: search.ownerId,
  model: search.model.id,
  bits: encodeVector(search.vector).bits,
  maxDistance: maxHammingDistance(search.model.dimensions, search.minSimilarity),
  maxCodes: search.limit * OVERSAMPLE,
  filter: search.filter,
})

const cosineSimilarity = (vector: ArrayLike<number>, stored: Int8Array): number => {
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

/** Compares codes in full. @returns the nearest, best first. */
const rankCodes = (
  { vector, minSimilarity, limit }: VectorSearch,
  codes: StoredCode[],
): VectorMatch[] =>
  codes
    .map(({ seq, embedding }) => ({ seq, similarity: cosineSimilarity(vector, embedding) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .toSorted((a, b) => b.similarity - a.similarity || a.seq - b.seq)
    .slice(0, limit)

/** As `searchVectors`, among vectors in this process. */
export const searchCodes = (
  nearest: (search: CodeSearch) => StoredCode[],
  search: VectorSearch,
): VectorMatch[] => rankCodes(search, nearest(codeSearch(search)))

/** The memories nearest to a vector, best first. */
export const searchVectors = async (query: Query, search: VectorSearch): Promise<VectorMatch[]> =>
  rankCodes(search, await findNearestCodes(query, codeSearch(search)))

/** As `searchVectors`, and reads the question that the vector stands for. */
export const searchInLanguage = async (
  query: Query,
  search: VectorSearch,
  question: VectorQuestion,
): Promise<Omit<LanguageSearchResult, 'codes'> & { matches: VectorMatch[] }> => {
  const found = await findNearestCodesInLanguage(query, codeSearch(search), question)
  const { names, language } = found
  return { names, language, matches: rankCodes(search, found.codes) }
}
