import type { Query } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { createBreaker } from '../../../platform/models/breaker.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import type { VectorModel } from '../../memories/vector-model.ts'
import type { VectorMatch } from '../../recall/candidate-set.ts'
import type { RecallFilter } from '../../recall/filter-store.ts'
import { searchVectors } from '../../recall/vector-search.ts'
import { EMBEDDING, type EmbeddingModel } from './model.ts'

/** How long a recall waits for the memories nearest by this model, before it uses the built-in vectors. */
const RECALL_BUDGET_MS = 300
const BREAKER = { failures: 3, windowMs: 60_000, coolDownMs: 5_000, maxCoolDownMs: 60_000 }

/** Finds the memories nearest to a question by an embedding endpoint's model. */
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
    ownerId: string,
    question: string,
    filter: RecallFilter,
    limit: number,
    signal: AbortSignal,
  ): Promise<VectorMatch[]> => {
    const [vector] = await model.embed([question], signal)
    if (!vector) return []
    if (vector.length !== current.dimensions)
      throw new ModelFailure('malformed', { provider: EMBEDDING })
    return searchVectors(query, {
      model: current,
      ownerId,
      vector,
      filter,
      limit,
      minSimilarity: -1,
    })
  }

  /** @returns undefined when that takes too long or fails. */
  return async (
    ownerId: string,
    question: string,
    filter: RecallFilter,
    limit: number,
  ): Promise<VectorMatch[] | undefined> => {
    const current = model.current()
    const call = current && breaker.enter()
    if (!call) return undefined
    const signal = AbortSignal.timeout(budgetMs)
    try {
      const searching = search(current, ownerId, question, filter, limit, signal)
      const matches = await Promise.race([searching, rejectOnAbort(signal)])
      call.succeeded()
      return matches
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
