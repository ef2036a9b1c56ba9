import type { Pace } from '../../platform/activity.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from './engine.ts'
import { type Lease, LeaseLost } from './leases.ts'
import type { DoneTask, EngineTask } from './store.ts'

/** After this many consecutive failures of single memories an engine skips the owner for a while. */
const MAX_CONSECUTIVE_FAILURES = 3

/** The progress of an engine through the tasks of one owner. */
export interface Progress {
  engine: Engine
  /** `seq` of the last attempted task: failed memories do not delay later ones. */
  after: number
  hasFailed: boolean
  consecutiveFailures: number
}

export const isBlocked = ({ consecutiveFailures }: Progress): boolean =>
  consecutiveFailures >= MAX_CONSECUTIVE_FAILURES

/** Runs an engine on a batch; a batch that fails is repeated memory by memory. */
export const createAttempts = (log: Log, pace: Pace, isStopping: () => boolean) => {
  const attempt = async (
    progress: Progress,
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
    progress: Progress,
    ownerId: string,
    tasks: EngineTask[],
    lease: Lease,
  ): Promise<DoneTask[]> => {
    const engine = progress.engine.name
    const asDone = (task: EngineTask) => ({ ...task, engine })
    const isDone = await attempt(progress, ownerId, tasks, lease)
    if (isDone || tasks.length === 1) {
      progress.after = tasks.at(-1)?.seq ?? 0
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
