import { budgets } from '../budgets.ts'
import type { BreakerOptions } from './breaker.ts'
import type { ModelRetryOptions } from './language-model.ts'
import type { ProviderName } from './types.ts'

export interface Timing {
  timeouts: Record<ProviderName, TimeoutOptions>
  retry: ModelRetryOptions
  breaker: BreakerOptions
}

const timeouts: TimeoutOptions = {
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

export interface TimeoutOptions {
  /** The most time to the first token of each call. */
  firstTokenMs: number
  /** The most time between tokens after that. */
  betweenTokensMs: number
  /** The most time for a tool call. */
  toolMs: number
  /** The most time in total, because some models repeat themselves without end. */
  totalMs: number
}

/**
 * Calls `onTimeout` when a wait takes too long. The time that the consumer takes between parts does not
 * count.
 */
export const createTimeouts = (
  { firstTokenMs, betweenTokensMs, toolMs, totalMs }: TimeoutOptions,
  onTimeout: () => void,
) => {
  let leftMs = firstTokenMs
  let totalLeftMs = totalMs
  let toolsRunning = 0

  return {
    async wait<T>(next: Promise<T>): Promise<T> {
      const since = performance.now()
      const timer = setTimeout(onTimeout, Math.max(0, Math.min(leftMs, totalLeftMs)))
      try {
        return await next
      } finally {
        clearTimeout(timer)
        const waitedMs = performance.now() - since
        leftMs -= waitedMs
        totalLeftMs -= waitedMs
      }
    },
    /** Restarts the timeout for parts that show progress; other parts, such as headers, do not. */
    onPart(part: string): void {
      if (part === 'tool-call') toolsRunning++
      if (part === 'tool-result' || part === 'tool-error') toolsRunning--
      if (toolsRunning > 0) {
        if (part.startsWith('tool-')) leftMs = toolMs
      } else if (part === 'tool-result' || part === 'tool-error') leftMs = firstTokenMs
      else if (PROGRESS_PARTS.has(part)) leftMs = betweenTokensMs
    },
  }
}

const PROGRESS_PARTS = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-input-delta',
])
