import type { Query } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { createBreaker } from '../../../platform/models/breaker.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import type { VectorModel } from '../../memories/vectors.ts'
import type { VectorMatches, VectorRequest } from '../../recall/candidate-set.ts'
import type { RecallFilter } from '../../recall/filter-store.ts'
import { searchVectors } from '../../recall/vector-search.ts'
import type { EmbeddingModel } from './model.ts'
import { PROVIDER } from './source.ts'

/** How long a recall waits for the memories nearest by this model, before it uses the built-in vectors. */
const RECALL_BUDGET_MS = 300
const BREAKER = { failures: 3, windowMs: 60_000, coolDownMs: 5_000, maxCoolDownMs: 60_000 }

/** Finds the memories nearest to a question by the configured model. */
export const createEmbeddingSearch = (
  query: Query,
  model: EmbeddingModel,
  log: Log,
  budgetMs = RECALL_BUDGET_MS,
) => {
  const breaker = createBreaker(BREAKER, (state) =>
    log.warn({ model: model.name, state }, 'circuit breaker of the embedding model'),
  )

  const search = async (
    current: VectorModel,
    { ownerId, question, filter, limit, standingLimit }: VectorRequest,
    signal: AbortSignal,
  ): Promise<VectorMatches> => {
    const [vector] = await model.embed([question.text], 'question', signal)
    const { similarityWeight } = current
    if (!vector) return { matches: [], similarityWeight }
    if (vector.length !== current.dimensions)
      throw new ModelFailure('malformed', { provider: PROVIDER })
    const nearest = (filter: RecallFilter, limit: number) =>
      searchVectors(query, { model: current, ownerId, vector, filter, limit, minSimilarity: -1 })
    const [matches, standing] = await Promise.all([
      nearest(filter, limit),
      standingLimit ? nearest({ ...filter, isStanding: true }, standingLimit) : [],
    ])
    return { matches, standing, similarityWeight }
  }

  /** @returns undefined when that takes too long or fails. */
  return async (request: VectorRequest): Promise<VectorMatches | undefined> => {
    const current = model.current()
    const call = current && breaker.enter()
    if (!call) return undefined
    const signal = AbortSignal.timeout(budgetMs)
    try {
      const searching = search(current, request, signal)
      const found = await Promise.race([searching, rejectOnAbort(signal)])
      call.succeeded()
      return found
    } catch (error) {
      call.failed()
      log.debug({ error }, 'recall uses the built-in vectors: the embedding model failed')
      return undefined
    } finally {
      call.ended()
    }
  }
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
