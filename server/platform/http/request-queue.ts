/** A request that waits for a place. */
export interface Waiter {
  /** The credential as it was sent: places are shared among these. */
  account: string
  /** When it came, in milliseconds of the clock that the queue is called with. */
  since: number
  admit(): void
  refuse(): void
}

/** A wait that a user does not notice, as a part of the patience. */
const TARGET = 1 / 20
/** For how long requests wait longer than that until the queue is saturated, and how long after the last one it is not. */
const INTERVAL = 1 / 4
/** The patience while requests are refused, as a part of the usual one: a request that fails should fail early. */
const SHORT = 1 / 8

export type RequestQueue = ReturnType<typeof createRequestQueue>

/**
 * A queue with controlled delay (CoDel, RFC 8289). It is first in, first out until it is saturated: until for an
 * interval each request that left it had waited longer than the target, and the last one no less than the first.
 * The second condition tells a server that gets more than it can answer from one that catches up after a stall.
 * From then on the newest request goes first, because its client still waits for it. Only requests that have waited
 * for `patienceMs` are refused, and then others earlier, until no request has waited longer than the target for an
 * interval. Times are in milliseconds of any clock.
 */
export const createRequestQueue = (patienceMs: number) => {
  /** In the order of their arrival. */
  let waiting: Waiter[] = []
  let isSaturated = false
  let isRefusing = false
  /** The first of the successive requests that left late. */
  let late: { at: number; waited: number } | undefined
  let lastLateAt = 0

  const oldestWait = (now: number): number => (waiting[0] ? now - waiting[0].since : 0)

  /** Ends the saturation when it is over. */
  const advance = (now: number): void => {
    if (oldestWait(now) >= patienceMs * TARGET) lastLateAt = now
    if (!isSaturated || now - lastLateAt < patienceMs * INTERVAL) return
    isSaturated = false
    isRefusing = false
    late = undefined
  }

  const observe = (waited: number, now: number): void => {
    if (waited < patienceMs * TARGET) {
      late = undefined
      return
    }
    lastLateAt = now
    if (!late) late = { at: now, waited }
    else if (now - late.at >= patienceMs * INTERVAL) {
      isSaturated ||= waited >= late.waited
      late = { at: now, waited }
    }
  }

  return {
    get size(): number {
      return waiting.length
    },
    /** The longest wait so far. */
    oldestWait,

    isSaturated(now: number): boolean {
      advance(now)
      return isSaturated
    },

    isRefusing(now: number): boolean {
      advance(now)
      return isRefusing
    },

    add(waiter: Waiter): void {
      waiting.push(waiter)
    },

    /** Whether any of the waiting requests may leave. */
    has: (mayLeave: (waiter: Waiter) => boolean): boolean => waiting.some(mayLeave),

    /** Removes the next request of those that may leave. */
    take(mayLeave: (waiter: Waiter) => boolean, now: number): Waiter | undefined {
      advance(now)
      const at = isSaturated ? waiting.findLastIndex(mayLeave) : waiting.findIndex(mayLeave)
      const [taken] = at < 0 ? [] : waiting.splice(at, 1)
      if (taken) observe(now - taken.since, now)
      return taken
    },

    /** Removes a request whose client has disconnected. */
    remove(waiter: Waiter): void {
      waiting = waiting.filter((each) => each !== waiter)
    },

    /** Removes the requests that have waited for too long, and the oldest of more than `maxSize`. */
    removeLate(now: number, maxSize: number): Waiter[] {
      advance(now)
      if (oldestWait(now) >= patienceMs || waiting.length > maxSize) isRefusing = isSaturated = true
      const patience = isRefusing ? patienceMs * SHORT : patienceMs
      const kept = waiting.findIndex(({ since }) => now - since < patience)
      const count = Math.max(kept < 0 ? waiting.length : kept, waiting.length - maxSize)
      if (count > 0) lastLateAt = now
      return waiting.splice(0, count)
    },
  }
}
