import { setTimeout as sleep, setImmediate as yieldToRequests } from 'node:timers/promises'

/** The current request rate, by which background work limits itself. */
export type RequestRate = ReturnType<typeof createRequestRate>

/**
 * @param untilCalm resolves when the server answers as many requests as come, or after some seconds.
 */
export const createRequestRate = (
  untilCalm: () => Promise<void>,
  now: () => number = performance.now.bind(performance),
) => {
  let second = 0
  let current = 0
  let previous = 0
  const advance = () => {
    const thisSecond = Math.floor(now() / 1000)
    if (thisSecond === second) return
    previous = thisSecond === second + 1 ? current : 0
    current = 0
    second = thisSecond
  }
  return {
    untilCalm,

    countRequest(): void {
      advance()
      current++
    },

    /** Requests per second, over the current or the previous second. */
    perSecond(): number {
      advance()
      return Math.max(previous, current)
    },
  }
}

/** Waits after a step of background work that took `ms`. */
export type Pace = (ms: number) => Promise<void>

/** The request rate from which background work gets its smallest share of the time. */
const FULL_RATE = 20
/** Bounds each pause, so that a slow step does not stop all progress. */
const MAX_PAUSE_MS = 2_000

/** The pause in milliseconds after a step of `ms`; background work gets at least `minShare` of the time. */
export const pauseAfter = (ms: number, requestsPerSecond: number, minShare: number): number => {
  const maxPause = ms * (1 / minShare - 1)
  return Math.min(maxPause * Math.min(1, requestsPerSecond / FULL_RATE), MAX_PAUSE_MS)
}

/**
 * Bounds the share of the time that background work takes: all of it on an idle server, `minShare`
 * at 20 or more requests per second. While the server is saturated, the work pauses.
 */
export const createPace =
  (requestRate: RequestRate, minShare: number): Pace =>
  async (ms) => {
    const pause = pauseAfter(ms, requestRate.perSecond(), minShare)
    if (pause < 1) await yieldToRequests()
    else await sleep(pause)
    await requestRate.untilCalm()
  }
