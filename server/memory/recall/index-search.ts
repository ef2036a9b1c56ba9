import type { Query } from '../../platform/db/database.ts'
import { type CandidateSet, NO_MATCHES, type VectorMatches } from './candidate-set.ts'
import { findFactSources } from './fact-sources-store.ts'
import { countTerm, findInIndex } from './index-candidates.ts'
import { coversFilter, filterOf } from './index-filter.ts'
import type { OwnerIndex } from './owner-index.ts'
import type { OwnerIndexes } from './owner-indexes.ts'
import { readQuestionTerms, stemLanguages } from './question-terms.ts'
import {
  readWordForms,
  type StemmedQuestion,
  stemQuestion,
  type WordForms,
} from './question-terms-store.ts'
import { MAX_DATES, type RecallRequest, topMatchLimit } from './store.ts'
import { type QuestionVector, searchCodes, VECTOR_MATCHES_PER_RESULT } from './vector-search.ts'

/** How often a question is read again while other writes change its owner's memories. */
const MAX_ATTEMPTS = 3

/** The candidates of a question with the vector matches that count for them. */
export interface FoundCandidates {
  set: CandidateSet
  vectors: VectorMatches
}

export type SearchIndex = ReturnType<typeof createIndexSearch>

/**
 * Finds the candidates of a question in memory. The database is asked for what must be true now: the stems of
 * the question with the number of changes, and facts.
 */
export const createIndexSearch = (query: Query, indexes: OwnerIndexes) => {
  let wordForms: Promise<WordForms> | undefined
  const readForms = (): Promise<WordForms> => {
    wordForms ??= readWordForms(query).catch((error) => {
      wordForms = undefined
      throw error
    })
    return wordForms
  }

  /** Reads the question, and makes the index current. */
  const readCurrent = async (
    index: OwnerIndex,
    { ownerId, question }: RecallRequest,
  ): Promise<StemmedQuestion | undefined> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { stats } = index
      const languages = stemLanguages(stats, question.languages)
      const stemmed = await stemQuestion(query, ownerId, question.text, languages)
      // A backup was restored: its changes are not those that the index knows.
      if (!stemmed || stemmed.changeCount < stats.changeCount) {
        indexes.evict(ownerId)
        return undefined
      }
      if (stemmed.changeCount > index.stats.changeCount && !(await indexes.refresh(ownerId, index)))
        return undefined
      if (stemLanguages(index.stats, question.languages).join() !== languages.join()) continue
      await indexes.fillVectors(ownerId, index)
      return stemmed
    }
    return undefined
  }

  /** @returns undefined where the index does not cover the request, and PostgreSQL is to be searched. */
  return async (request: RecallRequest): Promise<FoundCandidates | undefined> => {
    const { ownerId, question, filter } = request
    const index = coversFilter(filter) ? await indexes.open(ownerId) : undefined
    if (!index) return undefined
    const [stemmed, forms, factRanks, vector] = await Promise.all([
      readCurrent(index, request),
      readForms(),
      findFactSources(query, request),
      request.vector,
    ])
    if (!stemmed) return undefined
    const terms = readQuestionTerms(stemmed, question, index, forms, (term) =>
      countTerm(index, term),
    )
    const vectors =
      vector && vector.model.id === index.model?.id
        ? searchInIndex(index, request, vector)
        : NO_MATCHES
    const set = findInIndex(index, {
      terms,
      filter,
      factRanks,
      timezone: question.timezone,
      dates: question.dates.slice(0, MAX_DATES),
      matches: vectors.matches,
      limit: topMatchLimit(question.limit),
    })
    return { set, vectors }
  }
}

const searchInIndex = (
  index: OwnerIndex,
  { filter, question }: RecallRequest,
  vector: QuestionVector,
): VectorMatches => {
  const isAll = Object.values(filter).every((value) => value === undefined)
  const accepts = isAll ? undefined : filterOf(index, filter)
  const { vectors, seqs } = index
  return searchCodes(
    {
      nearest: (search) => vectors.nearest(search, seqs, accepts),
      sample: (count) => vectors.sample(count),
      valuesOf: (seq) => {
        const doc = index.find(seq)
        return doc === undefined ? undefined : vectors.valuesOf(doc)
      },
    },
    vector,
    question.limit * VECTOR_MATCHES_PER_RESULT,
  )
}
