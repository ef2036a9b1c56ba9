import type { BreakerSettings } from './breaker.ts'
import type { PatienceSettings } from './patience.ts'
import type { RetrySettings } from './retry.ts'
import type { ProviderName } from './types.ts'

export interface Timing {
  patience: Record<ProviderName, PatienceSettings>
  retry: RetrySettings
  breaker: BreakerSettings
}

const patience: PatienceSettings = {
  firstTokenMs: 30_000,
  betweenTokensMs: 30_000,
  toolMs: 60_000,
  totalMs: 600_000,
}

export const TIMING: Timing = {
  patience: {
    openrouter: patience,
    openai: patience,
    // Ollama loads a model when it is first asked for, and stops loading when the asker leaves.
    ollama: { ...patience, firstTokenMs: 120_000 },
  },
  retry: { pauseMs: 250, maxPauseMs: 5_000 },
  breaker: { failures: 3, windowMs: 300_000, coolDownMs: 15_000, maxCoolDownMs: 240_000 },
}
