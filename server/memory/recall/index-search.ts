import type { Query } from '../../platform/db/database.ts'
import type { VectorModel } from '../memories/vectors.ts'
import { contentWords, GLOVE_LANGUAGE } from '../text/word-vectors.ts'
import { readWords } from './built-in-search.ts'
import type { VectorMatches, VectorRequest } from './candidate-set.ts'
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
import type { FoundCandidates } from './recall.ts'
import { MAX_DATES, type RecallRequest, topMatchLimit } from './store.ts'
import { searchCodes } from './vector-search.ts'

/** How often a question is read again while other writes change its owner's memories. */
const MAX_ATTEMPTS = 3

export interface IndexSearchDeps {
  indexes: OwnerIndexes
  /** The model of the vectors in the indexes. */
  model: VectorModel
  /** Searches by the configured embedding model; undefined where it gives no answer in time. */
  searchModel?: ((request: VectorRequest) => Promise<VectorMatches | undefined>) | undefined
}

export type SearchIndex = ReturnType<typeof createIndexSearch>

/**
 * Finds the candidates of a question in memory. The database is asked for what must be true now: the stems of
 * the question with the number of changes, and facts.
 */
export const createIndexSearch = (
  query: Query,
  { indexes, model, searchModel }: IndexSearchDeps,
) => {
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
      if (stemLanguages(index.stats, question.languages).join() === languages.join()) return stemmed
    }
    return undefined
  }

  /** @returns undefined where the index does not cover the request, and PostgreSQL is to be searched. */
  return async (
    request: RecallRequest,
    vectorRequest: VectorRequest,
  ): Promise<FoundCandidates | undefined> => {
    const { ownerId, question, filter } = request
    const index = coversFilter(filter) ? indexes.get(ownerId) : undefined
    if (!index) return undefined
    const [stemmed, forms, factRanks, found] = await Promise.all([
      readCurrent(index, request),
      readForms(),
      findFactSources(query, request),
      searchModel?.(vectorRequest),
    ])
    if (!stemmed) return undefined
    const terms = readQuestionTerms(stemmed, question, index, forms, (term) =>
      countTerm(index, term),
    )
    const vectors = found ?? nearestInIndex(index, model, vectorRequest, terms.language)
    const set = findInIndex(index, {
      terms,
      filter,
      factRanks,
      timezone: question.timezone,
      dates: question.dates.slice(0, MAX_DATES),
      matches: [...vectors.matches, ...(vectors.standing ?? [])],
      limit: topMatchLimit(question.limit),
    })
    return { set, vectors }
  }
}

/** As `createBuiltInSearch` finds them in PostgreSQL. */
export const nearestInIndex = (
  index: OwnerIndex,
  model: VectorModel,
  { ownerId, question, filter, limit, standingLimit = 0 }: VectorRequest,
  language: string,
): VectorMatches => {
  const { similarityWeight } = model
  const words = [...new Set(contentWords(question.text))]
  const names = words.filter((word) => index.authorsNamed(word).length > 0)
  const { vector, subject, markSufficient } = readWords(words, names)
  if (!vector || !subject || language !== GLOVE_LANGUAGE)
    return { matches: [], standing: [], similarityWeight }
  const nearest = (searched: Float32Array, among: typeof filter, count: number) => {
    const isAll = Object.values(among).every((value) => value === undefined)
    const accepts = isAll ? undefined : filterOf(index, among)
    const search = {
      model,
      ownerId,
      vector: searched,
      filter: among,
      limit: count,
      minSimilarity: among.isStanding ? -1 : 0,
    }
    return searchCodes((codes) => index.vectors.nearest(codes, index.seqs, accepts), search).map(
      markSufficient,
    )
  }
  return {
    matches: nearest(vector, filter, limit),
    standing: standingLimit ? nearest(subject, { ...filter, isStanding: true }, standingLimit) : [],
    similarityWeight,
  }
}
