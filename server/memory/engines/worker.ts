import type { Log } from '../../platform/log.ts'
import type { BatchRunner, RunOutcome } from './batches.ts'

/** Quick retries of an owner after a failure; after them the sweep retries each minute. */
export const MAX_RETRIES = 3
const FIRST_RETRY_MS = 3_000
const RETRY_FACTOR = 3
const STOP_TIMEOUT_MS = 5_000

/**
 * Runs the tasks of owners in the order of their requests, `concurrency` owners at a time. Its state may
 * be lost: the tasks are rows in the database.
 */
export const createEngineWorker = (log: Log, batches: BatchRunner, concurrency: number) => {
  /** Waiting owners, with the number of their attempt. */
  const waiting = new Map<string, number>()
  const active = new Map<string, { isRequested: boolean; finished: Promise<void> }>()
  const retries = new Map<string, NodeJS.Timeout>()
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
      state.finished = runTasks(ownerId).then((outcome) => {
        active.delete(ownerId)
        if (outcome === 'more' || state.isRequested) request(ownerId)
        else if (outcome === 'failed' && attempt < MAX_RETRIES) retryLater(ownerId, attempt)
        startNext()
      })
    }
  }

  const runTasks = (ownerId: string): Promise<RunOutcome> =>
    batches.run(ownerId).catch((error): RunOutcome => {
      log.warn({ error }, 'reading or finishing engine tasks failed')
      return 'failed'
    })

  const retryLater = (ownerId: string, attempt: number): void => {
    if (isStopping) return
    const delay = FIRST_RETRY_MS * RETRY_FACTOR ** attempt
    retries.set(ownerId, setTimeout(request, delay, ownerId, attempt + 1))
  }

  return {
    request,

    /** Resolves after the current batches, or after `STOP_TIMEOUT_MS`. */
    async stop(): Promise<void> {
      isStopping = true
      for (const timer of retries.values()) clearTimeout(timer)
      batches.stop()
      const finished = Promise.all(Array.from(active.values(), (state) => state.finished))
      await Promise.race([finished, Bun.sleep(STOP_TIMEOUT_MS)])
    },
  }
}
