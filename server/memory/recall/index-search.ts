import type { Query } from '../../platform/db/database.ts'
import { analyzeQuestion } from '../text/analyzer.ts'
import {
  type CandidateSet,
  NO_CANDIDATES,
  NO_MATCHES,
  type VectorMatches,
} from './candidate-set.ts'
import { findFactSources } from './fact-sources-store.ts'
import { isUnfiltered } from './filter-store.ts'
import { countTerm, findInIndex } from './index-candidates.ts'
import { type Accepts, coversFilter, filterOf } from './index-filter.ts'
import { projectsOf } from './named-projects.ts'
import type { OwnerIndex } from './owner-index.ts'
import { readPassing } from './owner-index-store.ts'
import type { OwnerIndexes } from './owner-indexes.ts'
import { readQuestionTerms, stemLanguages } from './question-terms.ts'
import { MAX_DATES, type RecallRequest, topMatchLimit } from './store.ts'
import { type QuestionVector, searchCodes, VECTOR_MATCHES_PER_RESULT } from './vector-search.ts'

/** The candidates of a question with the vector matches that count for them. */
export interface FoundCandidates {
  set: CandidateSet
  vectors: VectorMatches
}

export type SearchIndex = ReturnType<typeof createIndexSearch>

/**
 * Finds the candidates of a question in the index of its owner. The database is asked for what must be true now:
 * whether the index is current, facts, and which memories pass a filter that the index does not cover.
 */
export const createIndexSearch =
  (query: Query, indexes: OwnerIndexes) =>
  async (request: RecallRequest): Promise<FoundCandidates> => {
    const { ownerId, question } = request
    const [index, factRanks, vector] = await Promise.all([
      indexes.open(ownerId),
      findFactSources(query, request),
      request.vector,
    ])
    if (!index) return { set: NO_CANDIDATES, vectors: NO_MATCHES }
    await indexes.fillVectors(ownerId, index)
    const analyzed = await analyzeQuestion(
      question.text,
      stemLanguages(index.stats, question.languages),
    )
    const terms = readQuestionTerms(analyzed, question, index, (term) => countTerm(index, term))
    const [inProject] = request.filter.inProjects ?? []
    const filter = {
      ...request.filter,
      ...(inProject !== undefined && { inProjects: projectsOf(index, inProject, analyzed) }),
    }
    const passing = coversFilter(filter) ? undefined : await readPassing(query, ownerId, filter)
    const accepts = filterOf(index, filter, passing)
    const vectors =
      vector && vector.model.id === index.model?.id
        ? nearestInIndex(index, vector, {
            accepts: index.isAllLive && isUnfiltered(filter) ? undefined : accepts,
            limit: question.limit * VECTOR_MATCHES_PER_RESULT,
          })
        : NO_MATCHES
    const set = findInIndex(index, {
      terms,
      accepts,
      factRanks,
      timezone: question.timezone,
      dates: question.dates.slice(0, MAX_DATES),
      matches: vectors.matches,
      limit: topMatchLimit(question.limit),
    })
    return { set, vectors }
  }

const nearestInIndex = (
  index: OwnerIndex,
  vector: QuestionVector,
  { accepts, limit }: { accepts: Accepts | undefined; limit: number },
): VectorMatches => {
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
    limit,
  )
}
