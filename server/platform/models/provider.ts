import type { LanguageModel } from 'ai'
import type { Log } from '../log.ts'
import { createBreaker } from './breaker.ts'
import { isFault, ModelFailure } from './failure.ts'
import { generation, type SaidEvent } from './generation.ts'
import { languageModel, type ProviderSettings } from './language-model.ts'
import { type Prompt, plainer } from './prompt.ts'
import { retryingFetch } from './retry.ts'
import type { Timing } from './timing.ts'
import type { BreakerState, ProviderName } from './types.ts'

/** A configured provider with the model that answers there. */
export interface Provider {
  name: ProviderName
  model: string
  readonly state: BreakerState
  /**
   * @throws ModelFailure, `unavailable` at once while the provider is left alone.
   * @throws the signal's reason when it is aborted.
   */
  answer(prompt: Prompt, signal: AbortSignal): AsyncGenerator<SaidEvent>
}

export const createProvider = (settings: ProviderSettings, timing: Timing, log: Log): Provider => {
  const { name, model } = settings
  const patience = timing.patience[name]
  const breaker = createBreaker(timing.breaker, (state) =>
    log.warn({ provider: name, state }, 'model provider'),
  )
  let loaded: Promise<LanguageModel> | undefined
  const load = () => {
    loaded ??= languageModel(settings, retryingFetch(timing.retry))
    return loaded
  }

  /** Leaves out, one after the other, what the model may have objected to. */
  async function* accommodating(asked: Prompt, signal: AbortSignal): AsyncGenerator<SaidEvent> {
    let prompt: Prompt | undefined = asked
    while (prompt) {
      let hasStarted = false
      try {
        for await (const event of generation(name, await load(), prompt, patience, signal)) {
          hasStarted = true
          yield event
        }
        return
      } catch (error) {
        prompt = !hasStarted && isObjection(error) ? plainer(prompt) : undefined
        if (!prompt) throw error
      }
    }
  }

  return {
    name,
    model,
    get state() {
      return breaker.state
    },
    async *answer(prompt, signal) {
      const passage = breaker.enter()
      if (!passage) throw new ModelFailure('unavailable', { provider: name })
      const start = performance.now()
      let firstMs: number | undefined
      try {
        for await (const event of accommodating(prompt, signal)) {
          passage.answered()
          firstMs ??= milliseconds(start)
          if (event.type === 'finish') {
            passage.succeeded()
            const { usage, reason } = event
            const ms = milliseconds(start)
            log.info(
              { provider: name, model, ms, first_ms: firstMs, reason, ...usage },
              'model answered',
            )
          }
          yield event
        }
      } catch (error) {
        if (error instanceof ModelFailure) {
          if (isFault(error)) passage.failed()
          const ms = milliseconds(start)
          log.warn({ model, ms, kind: error.kind, ...error.details }, 'model failed')
        }
        throw error
      } finally {
        passage.ended()
      }
    },
  }
}

/** The statuses that servers answer when a model takes no tools, no pictures or no shape. */
const isObjection = (error: unknown): boolean =>
  error instanceof ModelFailure &&
  error.kind === 'refused' &&
  [400, 404, 415, 422].includes(error.details.status ?? 0)

const milliseconds = (start: number) => Math.round(performance.now() - start)
