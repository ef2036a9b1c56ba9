import type { LanguageModel } from 'ai'
import type { TokenUsage } from '../../../shared/contract/chat-messages.ts'
import { budgets } from '../budgets.ts'
import { createLimitedFetch } from '../fetch/limited-fetch.ts'
import type { Log } from '../log.ts'
import type { Metrics, ModelOutcome } from '../metrics.ts'
import { createBreaker } from './breaker.ts'
import { isOutage, ModelFailure } from './failure.ts'
import { generation, type OutputEvent } from './generation.ts'
import { languageModel, type ModelProviderSettings, retryingFetch } from './language-model.ts'
import { type ModelPrompt, plainer } from './prompt.ts'
import type { Timing } from './timing.ts'
import type { BreakerState } from './types.ts'

const limitedFetch = createLimitedFetch({
  bytes: budgets.modelResponse.bytes,
  errorBytes: budgets.modelError.bytes,
  lineBytes: budgets.modelLine.bytes,
  lines: budgets.modelResponse.count,
})

/** A configured provider and its model. */
export type ModelProvider = ReturnType<typeof createProvider>

export const createProvider = (
  settings: ModelProviderSettings,
  timing: Timing,
  log: Log,
  metrics?: Pick<Metrics, 'observeModel'>,
) => {
  const { name, model } = settings
  const timeouts = timing.timeouts[name]
  const breaker = createBreaker(timing.breaker, (state) =>
    log.warn({ provider: name, state }, 'model provider'),
  )
  let loaded: Promise<LanguageModel> | undefined
  const load = () => {
    loaded ??= languageModel(settings, retryingFetch(limitedFetch, timing.retry))
    return loaded
  }

  /** Retries a refused prompt with fewer features. */
  async function* generateWithFallback(
    requested: ModelPrompt,
    signal: AbortSignal,
  ): AsyncGenerator<OutputEvent> {
    let prompt: ModelPrompt | undefined = requested
    while (prompt) {
      let hasStarted = false
      try {
        const options = { provider: name, model: await load(), prompt, timeouts }
        for await (const event of generation(options, signal)) {
          hasStarted = true
          yield event
        }
        return
      } catch (error) {
        prompt = !hasStarted && isUnsupported(error) ? plainer(prompt, error.details) : undefined
        if (!prompt) throw error
      }
    }
  }

  return {
    name,
    model,
    get state(): BreakerState {
      return breaker.state
    },

    /**
     * @throws ModelFailure, `unavailable` at once while the breaker is open.
     * @throws the signal's reason when it is aborted.
     */
    async *answer(prompt: ModelPrompt, signal: AbortSignal): AsyncGenerator<OutputEvent> {
      const call = breaker.enter()
      if (!call) throw new ModelFailure('unavailable', { provider: name })
      const start = performance.now()
      let firstMs: number | undefined
      let outcome: ModelOutcome = 'abandoned'
      let usage: TokenUsage | undefined
      try {
        for await (const event of generateWithFallback(prompt, signal)) {
          call.answered()
          firstMs ??= milliseconds(start)
          if (event.type === 'finish') {
            call.succeeded()
            outcome = 'answered'
            usage = event.usage
            const ms = milliseconds(start)
            const { reason } = event
            log.info(
              { provider: name, model, ms, first_ms: firstMs, reason, ...usage },
              'model answered',
            )
          }
          yield event
        }
      } catch (error) {
        if (error instanceof ModelFailure) {
          outcome = 'failed'
          if (isOutage(error)) call.failed()
          const ms = milliseconds(start)
          log.warn({ model, ms, kind: error.kind, ...error.details }, 'model failed')
        }
        throw error
      } finally {
        call.ended()
        metrics?.observeModel({ provider: name, outcome, usage }, performance.now() - start)
      }
    },
  }
}

/** Whether the status is one that servers return for unsupported tools, images or schemas. */
const isUnsupported = (error: unknown): error is ModelFailure =>
  error instanceof ModelFailure &&
  error.kind === 'refused' &&
  [400, 404, 415, 422].includes(error.details.status ?? 0)

const milliseconds = (start: number) => Math.round(performance.now() - start)
