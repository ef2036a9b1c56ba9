import type { Log } from '../../platform/log.ts'
import type { BatchRunner, RunOutcome } from './batches.ts'
import { type Lease, type Leases, ONLY_SERVER } from './leases.ts'

/** Quick retries of an owner after a failure; after them the sweep retries each minute. */
export const MAX_RETRIES = 3
const RETRY_FACTOR = 3
/** The other server may have read the tasks of the owner before this one was requested. */
const LEASED_RETRY_MS = 1_000
const STOP_TIMEOUT_MS = 5_000

const stopped = () => new Error('the server stops')

interface EngineWorkerDeps {
  log: Log
  batches: BatchRunner
  /** Undefined if no other server runs engines. */
  leases: Leases | undefined
  /** The number of owners whose tasks run at the same time. */
  concurrency: number
  /** From a failed run until its first retry. */
  retryMs: number
}

/**
 * Runs the tasks of owners in the order of their requests. Its state may be lost: the tasks are rows in
 * the database.
 */
export const createEngineWorker = ({
  log,
  batches,
  leases,
  concurrency,
  retryMs,
}: EngineWorkerDeps) => {
  /** Waiting owners, with the number of their attempt. */
  const waiting = new Map<string, number>()
  const active = new Map<string, { isRequested: boolean; finished: Promise<void> }>()
  const retries = new Map<string, NodeJS.Timeout>()
  /** Of waiting owners: ends with their next run. */
  const runs = new Map<string, PromiseWithResolvers<void>>()
  let isStopping = false

  const request = (ownerId: string, attempt = 0): void => {
    if (isStopping) return
    clearTimeout(retries.get(ownerId))
    retries.delete(ownerId)
    const running = active.get(ownerId)
    if (running) {
      running.isRequested = true
      return
    }
    waiting.set(ownerId, Math.min(waiting.get(ownerId) ?? attempt, attempt))
    startNext()
  }

  const startNext = (): void => {
    for (const [ownerId, attempt] of waiting) {
      if (active.size >= concurrency || isStopping) return
      waiting.delete(ownerId)
      const state = { isRequested: false, finished: Promise.resolve() }
      active.set(ownerId, state)
      const run = runs.get(ownerId)
      runs.delete(ownerId)
      state.finished = runTasks(ownerId).then((outcome) => {
        active.delete(ownerId)
        if (isStopping) run?.reject(stopped())
        else run?.resolve()
        if (outcome === 'more' || state.isRequested) request(ownerId)
        else if (outcome === 'leased') requestLater(ownerId, attempt, LEASED_RETRY_MS)
        else if (outcome === 'failed' && attempt < MAX_RETRIES)
          requestLater(ownerId, attempt + 1, retryMs * RETRY_FACTOR ** attempt)
        startNext()
      })
    }
  }

  const runTasks = async (ownerId: string): Promise<RunOutcome | 'leased'> => {
    const run = (lease: Lease) => batches.run(ownerId, lease)
    try {
      return await (leases ? leases.hold(ownerId, run) : run(ONLY_SERVER))
    } catch (error) {
      log.warn({ error }, 'reading or finishing engine tasks failed')
      return 'failed'
    }
  }

  const requestLater = (ownerId: string, attempt: number, delayMs: number): void => {
    if (isStopping) return
    retries.set(ownerId, setTimeout(request, delayMs, ownerId, attempt))
  }

  return {
    request,

    /**
     * Requests an owner. Resolves after its next run, which may leave tasks to later ones.
     * @throws if the server stops before the end of the run.
     */
    run(ownerId: string): Promise<void> {
      if (isStopping) return Promise.reject(stopped())
      const run = runs.get(ownerId) ?? Promise.withResolvers<void>()
      runs.set(ownerId, run)
      request(ownerId)
      return run.promise
    },

    /** Resolves after the current batches, or after `STOP_TIMEOUT_MS`. */
    async stop(): Promise<void> {
      isStopping = true
      for (const timer of retries.values()) clearTimeout(timer)
      for (const run of runs.values()) run.reject(stopped())
      batches.stop()
      const finished = Promise.all(Array.from(active.values(), (state) => state.finished))
      await Promise.race([finished, Bun.sleep(STOP_TIMEOUT_MS)])
    },
  }
}
