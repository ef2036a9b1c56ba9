import type { Pace } from '../../platform/activity.ts'
import type { Connections } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { createAttempts, isBlocked, type Progress } from './attempts.ts'
import type { Engine } from './engine.ts'
import type { Lease } from './leases.ts'
import { type DoneTask, finishTasks, nextTasks } from './store.ts'

/** After this time the worker serves the next owner. */
const MAX_RUN_MS = 5_000

/** `more`: time ran out before the tasks did. */
export type RunOutcome = 'done' | 'more' | 'failed'

interface BatchRunnerDeps {
  database: Pick<Connections, 'query' | 'transaction'>
  log: Log
  engines: readonly Engine[]
  pace: Pace
}

export type BatchRunner = ReturnType<typeof createBatchRunner>

/** Runs engines on the tasks of an owner, one batch of each engine per step. */
export const createBatchRunner = ({ database, log, engines, pace }: BatchRunnerDeps) => {
  /** Where engines continue, by owner and engine; without an entry at the oldest task. */
  const resumeAfter = new Map<string, number>()
  let isStopping = false
  const runBatch = createAttempts(log, pace, () => isStopping)

  const startProgress = (ownerId: string): Progress[] =>
    engines.map((engine) => ({
      engine,
      after: resumeAfter.get(`${ownerId} ${engine.name}`) ?? 0,
      hasFailed: false,
      consecutiveFailures: 0,
    }))

  /** A blocked engine, and one that ran out of time, continues after its last attempt. */
  const saveProgress = (ownerId: string, progress: Progress, isOpen: boolean): void => {
    const key = `${ownerId} ${progress.engine.name}`
    if ((isOpen || isBlocked(progress)) && progress.after > 0) resumeAfter.set(key, progress.after)
    else resumeAfter.delete(key)
  }

  /** Runs one batch of each engine. @returns the engines that may have more tasks. */
  const runStep = async (ownerId: string, open: Progress[], lease: Lease): Promise<Progress[]> => {
    const tasks = await nextTasks(
      database.query,
      ownerId,
      open.map(({ engine, after }) => ({ engine: engine.name, after, size: engine.batch })),
    )
    const done: DoneTask[] = []
    const stillOpen: Progress[] = []
    for (const progress of open) {
      if (isStopping) break
      const own = tasks.get(progress.engine.name) ?? []
      if (own.length > 0) {
        done.push(...(await runBatch(progress, ownerId, own, lease)))
        if (!isBlocked(progress)) stillOpen.push(progress)
      } else if (progress.after > 0 && !progress.hasFailed) {
        // Memories that changed during the run have tasks before `after`.
        progress.after = 0
        stillOpen.push(progress)
      }
    }
    if (done.length > 0)
      await database.transaction(async (query) => {
        await lease.confirm(query)
        await finishTasks(query, ownerId, done)
      })
    return stillOpen
  }

  return {
    /** Runs all tasks of an owner, or as many as `MAX_RUN_MS` allows. @throws LeaseLost */
    async run(ownerId: string, lease: Lease): Promise<RunOutcome> {
      const endsAt = performance.now() + MAX_RUN_MS
      const all = startProgress(ownerId)
      let open = all
      while (open.length > 0 && !isStopping && performance.now() < endsAt)
        open = await runStep(ownerId, open, lease)
      for (const progress of all) saveProgress(ownerId, progress, open.includes(progress))
      if (open.length > 0 && !isStopping) return 'more'
      return all.some(({ hasFailed }) => hasFailed) ? 'failed' : 'done'
    },

    /** Stops after the current batch; the other tasks stay in the database. */
    stop(): void {
      isStopping = true
      for (const engine of engines) engine.stop?.()
    },
  }
}
