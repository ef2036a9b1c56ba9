import type { Connections } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Pace } from '../../platform/request-rate.ts'
import type { Engine } from './engine.ts'
import { type Lease, LeaseLost } from './leases.ts'
import { type DoneTask, type EngineTask, finishTasks, nextTasks } from './store.ts'

/** After this many consecutive failures of single memories an engine skips the owner for a while. */
const MAX_CONSECUTIVE_FAILURES = 3

/** The progress of an engine through the tasks of one owner. */
export interface EngineProgress {
  engine: Engine
  /**
   * `seq` of the last attempted task: failed memories do not delay the others. Undefined at the first task,
   * where an engine that takes the newest first stays until a memory fails.
   */
  after: number | undefined
  hasFailed: boolean
  consecutiveFailures: number
}

export const isBlocked = ({ consecutiveFailures }: EngineProgress): boolean =>
  consecutiveFailures >= MAX_CONSECUTIVE_FAILURES

/** Runs an engine on a batch; a batch that fails is repeated memory by memory. */
export const createAttempts = (log: Log, pace: Pace, isStopping: () => boolean) => {
  const attempt = async (
    progress: EngineProgress,
    ownerId: string,
    tasks: EngineTask[],
    lease: Lease,
  ): Promise<boolean> => {
    const { engine } = progress
    const start = performance.now()
    try {
      await engine.run(
        ownerId,
        tasks.flatMap(({ memory }) => memory ?? []),
        lease,
      )
      progress.consecutiveFailures = 0
      return true
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      progress.hasFailed = true
      if (tasks.length === 1) progress.consecutiveFailures++
      log.warn({ error, engine: engine.name, memories: tasks.length }, 'engine batch failed')
      return false
    } finally {
      await pace(performance.now() - start)
    }
  }

  /** @returns the tasks that succeeded. @throws LeaseLost */
  return async (
    progress: EngineProgress,
    ownerId: string,
    tasks: EngineTask[],
    lease: Lease,
  ): Promise<DoneTask[]> => {
    const engine = progress.engine.name
    const asDone = (task: EngineTask) => ({ ...task, engine })
    const isDone = await attempt(progress, ownerId, tasks, lease)
    if (isDone || tasks.length === 1) {
      if (!progress.engine.newestFirst || progress.hasFailed) progress.after = tasks.at(-1)?.seq
      return isDone ? tasks.map(asDone) : []
    }
    const done: DoneTask[] = []
    for (const task of tasks) {
      if (isStopping() || isBlocked(progress)) break
      progress.after = task.seq
      if (await attempt(progress, ownerId, [task], lease)) done.push(asDone(task))
    }
    return done
  }
}

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
  /** Where engines continue, by owner and engine; without an entry at the first task. */
  const resumeAfter = new Map<string, number>()
  let isStopping = false
  const runBatch = createAttempts(log, pace, () => isStopping)

  const startProgress = (ownerId: string): EngineProgress[] =>
    engines.map((engine) => ({
      engine,
      after: resumeAfter.get(`${ownerId} ${engine.name}`),
      hasFailed: false,
      consecutiveFailures: 0,
    }))

  /** A blocked engine, and one that ran out of time, continues after its last attempt. */
  const saveProgress = (ownerId: string, progress: EngineProgress, isOpen: boolean): void => {
    const key = `${ownerId} ${progress.engine.name}`
    if ((isOpen || isBlocked(progress)) && progress.after !== undefined)
      resumeAfter.set(key, progress.after)
    else resumeAfter.delete(key)
  }

  /** Runs one batch of each engine. @returns the engines that may have more tasks. */
  const runStep = async (
    ownerId: string,
    open: EngineProgress[],
    lease: Lease,
  ): Promise<EngineProgress[]> => {
    const tasks = await nextTasks(
      database.query,
      ownerId,
      open.map(({ engine: { name, newestFirst = false, batch }, after }) => ({
        engine: name,
        newestFirst,
        after,
        size: batch,
      })),
    )
    const done: DoneTask[] = []
    const stillOpen: EngineProgress[] = []
    /** Those that had all of their tasks in this step. */
    const ended: EngineProgress[] = []
    for (const progress of open) {
      if (isStopping) break
      const own = tasks.get(progress.engine.name) ?? []
      if (own.length > 0) {
        const isFirstPage = progress.after === undefined
        done.push(...(await runBatch(progress, ownerId, own, lease)))
        const isLastPage = own.length < progress.engine.batch
        if (isFirstPage && isLastPage && !progress.hasFailed) ended.push(progress)
        else if (!isBlocked(progress)) stillOpen.push(progress)
      } else if (progress.after !== undefined && !progress.hasFailed) {
        // Memories that changed during the run have tasks before `after`.
        progress.after = undefined
        stillOpen.push(progress)
      }
    }
    if (done.length === 0) return stillOpen
    const finished = await database.transaction(async (query) => {
      await lease.confirm(query)
      return finishTasks(query, ownerId, done)
    })
    // Memories that changed meanwhile keep their tasks.
    const isUnfinished = finished < done.length
    for (const progress of isUnfinished ? ended : []) progress.after = undefined
    return isUnfinished ? [...stillOpen, ...ended] : stillOpen
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
