import type { QueueName } from '../../../shared/contract/endpoint.ts'
import { budgets } from '../budgets.ts'
import { internalCaller } from './caller.ts'
import { clientDisconnected } from './disconnect.ts'
import { defineErrors } from './error.ts'
import { createRequestQueue, type RequestQueue, type Waiter } from './request-queue.ts'

/**
 * The places for requests that run at once. More of them than the event loop and the connections need would not be
 * answered earlier: they would wait there, where nothing can choose which one goes first, or refuse one.
 */
const { count: MAX_PLACES } = budgets.runningRequests
/** More than connections, so that these are in use. */
const MIN_PLACES = 8
const FIRST_PLACES = 16
/** Of a request in its place, in milliseconds: below the first time there are more places, above the second fewer. */
const SHORT_RUN_MS = 50
const LONG_RUN_MS = 100
/** At each tick. */
const FEWER_PLACES = 4 / 5
const { ms: PATIENCE_MS, count: MAX_WAITING } = budgets.waitingRequests

interface QueueLimits {
  patienceMs: number
  /** The most places that its requests hold. */
  places: number
  /** The share of the places that its requests leave to others. */
  reserved: number
  /** Whether the time of its requests depends on how many run at once, and hardly on what they do. */
  isQuick: boolean
  /** A request that runs for longer waits for something other than the server, and holds no place any more. */
  holdMs: number
}

/** A large write or a model takes seconds, and its client expects that. Below Bun's idle timeout of 30 seconds. */
const LONG_PATIENCE = 10
/** Of the places, for quick reads, whatever the others wait for; and the most that large writes hold. */
const SMALL_SHARE = 1 / 4
const HOLD_MS = 5_000
/** Enough to check the credential and to begin. */
const SLOW_HOLD_MS = 100

const limitsOf = (name: QueueName, patienceMs: number): QueueLimits => ({
  patienceMs: name === 'bulk' || name === 'slow' ? LONG_PATIENCE * patienceMs : patienceMs,
  places: name === 'bulk' ? MIN_PLACES * SMALL_SHARE : MAX_PLACES,
  reserved: name === 'read' ? 0 : SMALL_SHARE,
  isQuick: name !== 'bulk' && name !== 'slow',
  holdMs: name === 'slow' ? SLOW_HOLD_MS : HOLD_MS,
})

/** The interval in which late requests are refused, while any wait. */
const TICK_MS = 50
/** A longer time without a tick is a stall of this process, which is no fault of the requests that waited. */
const STALL_MS = 200
/** Background work goes on after this time, however busy the server is. */
const MAX_PAUSE_MS = 10_000
/** In the mean, a request counts with this weight. */
const MEAN_WEIGHT = 1 / 16
const overloadError = defineErrors({
  overloaded: {
    status: 503,
    detail: 'The server has more requests than it can answer; try again',
    headers: { 'retry-after': '2' },
  },
})

export interface AdmissionLimits {
  /** The requests that run at once. Default: as many as run quickly. */
  places: number
  /** Milliseconds that a request waits at most. */
  patienceMs: number
}

export interface QueueReport {
  waiting: number
  /** Milliseconds that the oldest waiting request has waited. */
  delayMs: number
  /** Refused requests since the start. */
  refused: number
  isRefusing: boolean
}

interface Line {
  queue: RequestQueue
  limits: QueueLimits
  running: number
  refused: number
  /** The time of its requests so far: the queue with the least goes first. */
  usedMs: number
  meanMs: number
}

/** The place of a request. Leaving it twice, and entering it twice, has no effect. */
interface Place {
  leave(): void
  /** Takes a place again, without waiting for it. */
  enter(): void
  /** Leaves it for good. */
  end(): void
}

/** A request that runs, in a place or, after some time, without one. */
interface Guest {
  line: Line
  account: string
  /** When it entered. */
  since: number
}

export type Admission = ReturnType<typeof createAdmission>

/**
 * Admits requests to a limited number of places. While all are taken, each kind of request waits in a queue of
 * its own. A free place goes to the queue whose requests have taken the least time, so that many slow requests
 * do not delay quick ones. As in the pool of the database, an account gets another place only while more are free
 * than it holds.
 */
export const createAdmission = ({
  places: fixed,
  patienceMs = PATIENCE_MS,
}: Partial<AdmissionLimits> = {}) => {
  const lines = new Map<QueueName, Line>()
  const clock = createClock()
  const places = createPlaces(fixed, clock)
  const { mayRun } = places
  /** The used time of the queue that was served last. */
  let servedMs = 0
  let ticking: NodeJS.Timeout | undefined
  let calm: PromiseWithResolvers<void> | undefined

  const lineOf = (name: QueueName): Line => {
    const known = lines.get(name)
    if (known) return known
    const limits = limitsOf(name, patienceMs)
    const queue = createRequestQueue(limits.patienceMs)
    const line = { queue, limits, running: 0, refused: 0, usedMs: 0, meanMs: 1 }
    lines.set(name, line)
    return line
  }

  const leave = (guest: Guest): void => {
    if (places.leave(guest)) serveWaiting()
  }

  const hold = (line: Line, account: string): Place => {
    let hasEnded = false
    const guest: Guest = { line, account, since: 0 }
    const enter = () => {
      if (hasEnded || !places.enter(guest)) return
      line.usedMs = Math.max(line.usedMs, servedMs) + line.meanMs
    }
    enter()
    return {
      enter,
      leave: () => leave(guest),
      end() {
        hasEnded = true
        leave(guest)
      },
    }
  }

  const isSaturated = (): boolean => {
    const now = clock()
    return [...lines.values()].some(({ queue }) => queue.isSaturated(now))
  }

  const notifyIfCalm = (): void => {
    if (!calm || isSaturated()) return
    calm.resolve()
    calm = undefined
  }

  const canServe = (line: Line): boolean =>
    line.running < line.limits.places && line.queue.has(({ account }) => mayRun(line, account))

  const nextLine = (): Line | undefined => {
    if (!places.areFree()) return undefined
    let next: Line | undefined
    for (const line of lines.values())
      if ((!next || line.usedMs < next.usedMs) && canServe(line)) next = line
    return next
  }

  const serveWaiting = (): void => {
    for (let line = nextLine(); line; line = nextLine()) {
      const { queue, usedMs } = line
      servedMs = Math.max(servedMs, usedMs)
      queue.take(({ account }) => mayRun(line, account), clock())?.admit()
    }
    notifyIfCalm()
  }

  const refuseLate = (line: Line, now: number): void => {
    for (const waiter of line.queue.removeLate(now, MAX_WAITING)) {
      line.refused++
      waiter.refuse()
    }
  }

  const endLongHolds = (now: number): void => {
    for (const guest of places.longHeld(now)) leave(guest)
  }

  const tick = (): void => {
    const now = clock()
    endLongHolds(now)
    places.adjust()
    // First what can still be served.
    serveWaiting()
    for (const line of lines.values()) refuseLate(line, now)
    notifyIfCalm()
    if (isSaturated() || [...lines.values()].some(({ queue }) => queue.size > 0)) return
    clearInterval(ticking)
    ticking = undefined
  }

  const wait = (line: Line, account: string, signal: AbortSignal): Promise<Place> => {
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    const waiter: Waiter = {
      account,
      since: clock(),
      admit: () => resolve(hold(line, account)),
      refuse: () => reject(overloadError('overloaded')),
    }
    const onAbort = () => {
      line.queue.remove(waiter)
      reject(clientDisconnected())
    }
    // A queue that has had nothing to do has no claim on the time before.
    if (line.queue.size === 0) line.usedMs = Math.max(line.usedMs, servedMs)
    line.queue.add(waiter)
    if (line.queue.size > MAX_WAITING) refuseLate(line, clock())
    ticking ??= setInterval(tick, TICK_MS)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    return promise.finally(() => signal.removeEventListener('abort', onAbort))
  }

  return {
    /**
     * Does the work of a request in a place. If all are taken, the request waits in a queue of its kind before.
     * @throws ApiError 503 for a request that has waited for too long. No part of its work was done.
     */
    async run<T>(
      name: QueueName | 'none',
      request: Request,
      work: (place?: Pick<Place, 'leave' | 'enter'>) => Promise<T> | T,
    ): Promise<T> {
      // A request of the server to itself is a part of one that has a place.
      if (name === 'none' || internalCaller(request)) return work()
      const line = lineOf(name)
      const account = accountOf(request)
      if (!mayRun(line, account)) endLongHolds(clock())
      // No request that waits may run: a place that became free was given to one.
      const place = mayRun(line, account)
        ? hold(line, account)
        : await wait(line, account, request.signal)
      try {
        return await work(place)
      } finally {
        place.end()
      }
    },

    /** Resolves when the server answers as many requests as come; after ten seconds in any case. */
    async untilCalm(): Promise<void> {
      if (!isSaturated()) return
      calm ??= Promise.withResolvers()
      await Promise.race([calm.promise, Bun.sleep(MAX_PAUSE_MS)])
    },

    /** The queues that have had requests, by name. */
    report: (): [QueueName, QueueReport][] =>
      [...lines].map(([name, { queue, refused }]) => [
        name,
        {
          waiting: queue.size,
          delayMs: queue.oldestWait(clock()),
          refused,
          isRefusing: queue.isRefusing(clock()),
        },
      ]),
  }
}

/** The places of the server, and the accounts that hold them. */
const createPlaces = (fixed: number | undefined, clock: () => number) => {
  const guests = new Set<Guest>()
  const heldBy = new Map<string, number>()
  let places = fixed ?? FIRST_PLACES
  let free = places
  /** The mean time of quick requests in their places. */
  let runMs = 0
  /** Those that have run since the last adjustment. */
  let ran = 0

  return {
    areFree: (): boolean => free > 0,

    mayRun: ({ running, limits }: Line, account: string): boolean =>
      running < limits.places &&
      free - Math.floor(limits.reserved * places) > (heldBy.get(account) ?? 0),

    /** @returns false for a request that is in a place already. */
    enter(guest: Guest): boolean {
      if (guests.has(guest)) return false
      guests.add(guest)
      guest.since = clock()
      free--
      guest.line.running++
      heldBy.set(guest.account, (heldBy.get(guest.account) ?? 0) + 1)
      return true
    },

    /** @returns false for a request that is in no place. */
    leave(guest: Guest): boolean {
      if (!guests.delete(guest)) return false
      const { line, account, since } = guest
      free++
      line.running--
      const ms = clock() - since
      line.meanMs += (ms - line.meanMs) * MEAN_WEIGHT
      if (line.limits.isQuick) {
        runMs += (ms - runMs) * MEAN_WEIGHT
        ran++
      }
      const remaining = (heldBy.get(account) ?? 1) - 1
      if (remaining) heldBy.set(account, remaining)
      else heldBy.delete(account)
      return true
    },

    /** Those that have been in their place for too long. */
    longHeld: (now: number): Guest[] =>
      [...guests].filter(({ since, line }) => now - since >= line.limits.holdMs),

    /** As many places as requests run in quickly: additive increase, multiplicative decrease. */
    adjust(): void {
      const isSteady = ran === 0 || (runMs >= SHORT_RUN_MS && runMs <= LONG_RUN_MS)
      ran = 0
      if (fixed !== undefined || isSteady) return
      const changed =
        runMs < SHORT_RUN_MS
          ? Math.min(MAX_PLACES, places + 1)
          : Math.max(MIN_PLACES, Math.floor(places * FEWER_PLACES))
      free += changed - places
      places = changed
    },
  }
}

const accountOf = (request: Request): string =>
  request.headers.get('authorization') ?? request.headers.get('x-api-key') ?? ''

/** A clock in milliseconds that hardly goes on while the process is stalled, such as by a garbage collection. */
const createClock = () => {
  let last = performance.now()
  let lost = 0
  return (): number => {
    const now = performance.now()
    lost += Math.max(0, now - last - STALL_MS)
    last = now
    return now - lost
  }
}
