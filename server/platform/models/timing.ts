import { budgets } from '../budgets.ts'
import type { BreakerSettings } from './breaker.ts'
import type { RetrySettings } from './retry.ts'
import type { TimeoutSettings } from './timeouts.ts'
import type { ProviderName } from './types.ts'

export interface Timing {
  timeouts: Record<ProviderName, TimeoutSettings>
  retry: RetrySettings
  breaker: BreakerSettings
}

const timeouts: TimeoutSettings = {
  firstTokenMs: 30_000,
  betweenTokensMs: 30_000,
  toolMs: 60_000,
  totalMs: budgets.modelAnswer.ms,
}

export const TIMING: Timing = {
  timeouts: {
    openrouter: timeouts,
    openai: timeouts,
    // Ollama loads a model with the first request, and cancels the load when the client disconnects.
    ollama: { ...timeouts, firstTokenMs: 120_000 },
  },
  retry: { pauseMs: 250, maxPauseMs: 5_000 },
  breaker: { failures: 3, windowMs: 300_000, coolDownMs: 15_000, maxCoolDownMs: 240_000 },
}
