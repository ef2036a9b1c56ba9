import type { Log } from '../../../platform/log.ts'
import { createBreaker } from '../../../platform/models/breaker.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import type { EmbedQuestion, QuestionVector } from '../../recall/vector-search.ts'
import type { EmbeddingModel } from './model.ts'
import { PROVIDER } from './source.ts'

const BREAKER = { failures: 3, windowMs: 60_000, coolDownMs: 5_000, maxCoolDownMs: 60_000 }

/** Computes the vectors of questions within the time that a recall waits for them. */
export const createQuestionVectors = (
  model: EmbeddingModel,
  log: Log,
  budgetMs = model.questionBudgetMs,
): EmbedQuestion => {
  const breaker = createBreaker(BREAKER, (state) =>
    log.warn({ model: model.name, state }, 'circuit breaker of the embedding model'),
  )

  const embed = async (text: string, signal: AbortSignal): Promise<QuestionVector | undefined> => {
    const current = model.current()
    const [vector] = await model.embed([text], 'question', signal)
    if (!current || !vector) return undefined
    if (vector.length !== current.dimensions)
      throw new ModelFailure('malformed', { provider: PROVIDER })
    return { model: current, vector }
  }

  return async (text, languages) => {
    if (!model.knowsLanguage(languages)) return undefined
    const call = model.current() && breaker.enter()
    if (!call) return undefined
    const signal = AbortSignal.timeout(budgetMs)
    try {
      const found = await Promise.race([embed(text, signal), rejectOnAbort(signal)])
      call.succeeded()
      return found
    } catch (error) {
      // On this machine, the next question may find it idle.
      const isLate = signal.aborted || (error instanceof ModelFailure && error.kind === 'timeout')
      if (model.isRemote || !isLate) call.failed()
      log.debug({ error }, 'a recall searches by words alone: the embedding model failed')
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
