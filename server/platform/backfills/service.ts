import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import {
  type Backfill,
  isDone,
  isUntouched,
  runStep,
  runUnstoredStep,
  type StepResult,
} from './store.ts'

export type { Backfill }

/** Limits steps to a quarter of the time, to keep the effect on requests small. */
const PAUSE_PER_STEP_TIME = 3
const LOCKED_PAUSE_MS = 1_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

export type Backfills = ReturnType<typeof createBackfills>

/**
 * Runs backfills in order in the background, each on one server at a time. A server that is killed
 * loses at most the current step.
 */
export const createBackfills = (database: Database, log: Log, backfills: readonly Backfill[]) => {
  const stopped = new AbortController()
  const { signal } = stopped
  const wait = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => {})

  /** Repeats a step until it returns `done`, with a pause after each for requests. */
  const repeat = async (name: string, step: () => Promise<StepResult>): Promise<void> => {
    let retryMs = FIRST_RETRY_MS
    while (!signal.aborted) {
      try {
        const startedAt = performance.now()
        const result = await step()
        if (result === 'done') return
        retryMs = FIRST_RETRY_MS
        const stepMs = performance.now() - startedAt
        await wait(result === 'locked' ? LOCKED_PAUSE_MS : stepMs * PAUSE_PER_STEP_TIME)
      } catch (error) {
        if (signal.aborted) return
        log.warn({ error, backfill: name }, 'a backfill failed; retrying')
        await wait(retryMs)
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
      }
    }
  }

  /** Passes through all the data once more, without stored progress. */
  const repeatFromStart = (backfill: Backfill): Promise<void> => {
    let place: string | null = null
    return repeat(backfill.name, async () => {
      place = await runUnstoredStep(database, backfill, place)
      return place === null ? 'done' : 'more'
    })
  }

  const run = async (backfill: Backfill): Promise<void> => {
    let isFromStart = true
    let isFirst = true
    await repeat(backfill.name, async () => {
      if (isFirst) isFromStart = await isUntouched(database.query, backfill.name)
      isFirst = false
      return runStep(database, backfill)
    })
    if (backfill.repeatsAfterStart && !isFromStart) await repeatFromStart(backfill)
  }

  const runAll = async (): Promise<void> => {
    for (const backfill of backfills) await run(backfill)
  }
  let running = Promise.resolve()

  return {
    /** Continues where the last server stopped. */
    begin(): void {
      running = runAll()
    },
    isDone: (name: string): Promise<boolean> => isDone(database.query, name),

    /** Waits for the current step. */
    async stop(): Promise<void> {
      stopped.abort()
      await running
    },
  }
}
