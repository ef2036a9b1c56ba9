import type { Log } from '../../../platform/log.ts'
import { createBreaker } from '../../../platform/models/breaker.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import { runElsewhere } from '../../../platform/request-scope.ts'
import type { VectorModel } from '../../memories/vectors.ts'
import type { EmbedQuestion, QuestionVector } from '../../recall/vector-search.ts'
import type { EmbeddingModel } from './model.ts'
import { PROVIDER } from './source.ts'

const BREAKER = { failures: 3, windowMs: 60_000, coolDownMs: 5_000, maxCoolDownMs: 60_000 }

/** The bytes of the recent questions and their vectors: some 700 of MiniLM. */
const RECENT_BYTES = 2 * 1024 * 1024
const NUMBER_BYTES = 8

/** The vectors of the most recent questions: hooks ask the same question again within a turn. */
const createRecentVectors = () => {
  const recent = new Map<string, QuestionVector>()
  let bytes = 0
  const bytesOf = (text: string, { vector }: QuestionVector) =>
    2 * text.length + NUMBER_BYTES * vector.length
  const remove = (text: string): void => {
    const found = recent.get(text)
    if (!found) return
    recent.delete(text)
    bytes -= bytesOf(text, found)
  }
  return {
    /** @returns undefined if the vector is of another model. */
    find(text: string, model: VectorModel): QuestionVector | undefined {
      const found = recent.get(text)
      if (found?.model.id !== model.id) return undefined
      recent.delete(text)
      recent.set(text, found)
      return found
    },
    keep(text: string, found: QuestionVector): void {
      remove(text)
      recent.set(text, found)
      bytes += bytesOf(text, found)
      for (const oldest of recent.keys()) {
        if (bytes <= RECENT_BYTES) break
        remove(oldest)
      }
    },
  }
}

/** Computes the vectors of questions within the time that a recall waits for them. */
export const createQuestionVectors = (
  model: EmbeddingModel,
  log: Log,
  budgetMs = model.questionBudgetMs,
): EmbedQuestion => {
  const breaker = createBreaker(BREAKER, (state) =>
    log.warn({ model: model.name, state }, 'circuit breaker of the embedding model'),
  )

  // The model behind a name may change at an endpoint, but not that of files with checksums.
  const recent = model.isRemote ? undefined : createRecentVectors()

  /** A vector that is too late for this question is kept for the next one. */
  const embed = async (text: string, signal: AbortSignal): Promise<QuestionVector | undefined> => {
    const current = model.current()
    const [vector] = await model.embed([text], 'question', signal)
    if (!current || !vector) return undefined
    if (vector.length !== current.dimensions)
      throw new ModelFailure('malformed', { provider: PROVIDER })
    const found = { model: current, vector }
    recent?.keep(text, found)
    return found
  }

  return async (text, languages) => {
    if (!model.knowsLanguage(languages)) return undefined
    const current = model.current()
    const known = current && recent?.find(text, current)
    if (known) return known
    const call = current && breaker.enter()
    if (!call) return undefined
    const signal = AbortSignal.timeout(budgetMs)
    try {
      const found = await runElsewhere(() =>
        Promise.race([embed(text, signal), rejectOnAbort(signal)]),
      )
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
