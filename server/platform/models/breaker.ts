import type { BreakerState } from './types.ts'

export interface BreakerOptions {
  /** The breaker opens after this many consecutive failures … */
  failures: number
  /** … within this window. */
  windowMs: number
  /** How long it stays open at first; doubled after each failed trial … */
  coolDownMs: number
  /** … up to this. */
  maxCoolDownMs: number
}

/** A permitted call, with methods that report its outcome. */
interface BreakerCall {
  /** The first output arrived. A trial closes the breaker then. */
  answered(): void
  succeeded(): void
  failed(): void
  /**
   * The call ended. Without another report it has no effect: the caller disconnected, or the request
   * caused the failure.
   */
  ended(): void
}

/**
 * A circuit breaker for long calls. After the cool-down it permits one trial and rejects other calls
 * at once; a trial whose caller disconnects has no effect. (The breakers of packages make other calls
 * wait for the trial, or count a disconnected caller as a success.)
 */
export const createBreaker = (
  settings: BreakerOptions,
  onChange: (state: BreakerState) => void = () => {},
  now: () => number = () => performance.now(),
) => {
  let failedAt: number[] = []
  let openedAt: number | undefined
  let coolDownMs = settings.coolDownMs
  let isTrying = false

  const state = (): BreakerState => {
    if (openedAt === undefined) return 'closed'
    return now() - openedAt < coolDownMs ? 'open' : 'half_open'
  }
  const open = () => {
    failedAt = []
    openedAt = now()
    onChange('open')
  }
  const close = () => {
    failedAt = []
    if (openedAt === undefined) return
    openedAt = undefined
    coolDownMs = settings.coolDownMs
    onChange('closed')
  }
  const fail = () => {
    // The call started before the breaker opened, so it gives no new information.
    if (openedAt !== undefined) return
    failedAt = [...failedAt.filter((at) => now() - at < settings.windowMs), now()]
    if (failedAt.length >= settings.failures) open()
  }

  const trial = (): BreakerCall => {
    let isUndecided = true
    isTrying = true
    const decide = (apply: () => void) => {
      isUndecided = false
      isTrying = false
      apply()
    }
    const reopen = () => {
      coolDownMs = Math.min(coolDownMs * 2, settings.maxCoolDownMs)
      open()
    }
    return {
      answered() {
        if (isUndecided) decide(close)
      },
      succeeded: () => decide(close),
      failed: () => (isUndecided ? decide(reopen) : fail()),
      ended() {
        if (isUndecided) decide(() => {})
      },
    }
  }

  return {
    get state(): BreakerState {
      return state()
    },

    /** @returns undefined when the call is not permitted: open, or half open while a trial runs. */
    enter(): BreakerCall | undefined {
      const current = state()
      if (current === 'closed')
        return { answered: () => {}, succeeded: close, failed: fail, ended: () => {} }
      return current === 'half_open' && !isTrying ? trial() : undefined
    },
  }
}
