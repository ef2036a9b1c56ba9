import type { Query } from '../../platform/db/database.ts'
import { cosineSimilarity, encodeVector } from '../memories/vector-code.ts'
import type { VectorModel } from '../memories/vector-model.ts'
import type { VectorMatch } from './candidate-set.ts'
import type { RecallFilter } from './filter-store.ts'
import type { OwnerCodes } from './owner-codes.ts'
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
export const searchCodes = (codes: OwnerCodes, search: VectorSearch): VectorMatch[] => {
  const { bits, maxDistance, maxCodes } = codeSearch(search)
  return rankCodes(search, codes.nearest(bits, maxDistance, maxCodes))
}

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
