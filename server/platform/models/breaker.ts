import type { BreakerState } from './types.ts'

export interface BreakerSettings {
  /** Opens after this many failures without a success between them … */
  failures: number
  /** … within this time. */
  windowMs: number
  /** How long it stays open at first; twice as long each time that a trial fails … */
  coolDownMs: number
  /** … up to this. */
  maxCoolDownMs: number
}

/** A call that was let through, and what became of it. */
export interface Passage {
  /** There is a first sign of life: a trial has done its work, and lets all others through. */
  answered(): void
  succeeded(): void
  failed(): void
  /** It is over. Alone, nothing was learned: the caller left, or the failure was the request's own. */
  ended(): void
}

export interface Breaker {
  readonly state: BreakerState
  /** Undefined while calls are to be left out: open, or half open with a trial under way. */
  enter(): Passage | undefined
}

/**
 * A circuit breaker for answers that take long. Once it has cooled down it lets one trial through and
 * turns all others away at once meanwhile, and a trial whose caller leaves decides nothing. (Breakers
 * of packages let the others wait for the trial's end, or take a caller who left for a success.)
 */
export const createBreaker = (
  settings: BreakerSettings,
  onChange: (state: BreakerState) => void = () => {},
  now: () => number = () => performance.now(),
): Breaker => {
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
    // One that was let through before it opened says nothing new.
    if (openedAt !== undefined) return
    failedAt = [...failedAt.filter((at) => now() - at < settings.windowMs), now()]
    if (failedAt.length >= settings.failures) open()
  }

  const trial = (): Passage => {
    let isUndecided = true
    isTrying = true
    const decide = (what: () => void) => {
      isUndecided = false
      isTrying = false
      what()
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
    get state() {
      return state()
    },
    enter() {
      const current = state()
      if (current === 'closed')
        return { answered: () => {}, succeeded: close, failed: fail, ended: () => {} }
      return current === 'half_open' && !isTrying ? trial() : undefined
    },
  }
}
