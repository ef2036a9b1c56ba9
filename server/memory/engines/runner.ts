import type { Database, Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from './engine.ts'
import { finishTasks, holdOwner, isSwitchedOff, nextTasks, type Task } from './store.ts'

/** So many owners' memories are worked on at a time. */
const CONCURRENCY = 2
/** Then the next owner has a turn. */
const TURN_MS = 5_000
/** After a failure it is tried again so often soon, and from then on by the sweep, each minute. */
const RETRIES = 3
const FIRST_RETRY_SECONDS = 3
const RETRY_FACTOR = 3
/** So many memories in a row that fail one by one are not to blame: the engine is left alone a while. */
const FAILURES_IN_A_ROW = 3
/** What this server queues is started at once. */
const POLL_SECONDS = 5
/** Of a job whose server was killed; what an engine throws does not come to that. */
const JOB_RETRIES = 2

type Turn = { ownerId: string; attempt: number }

type Outcome = 'done' | 'more' | 'failed'

/** Has one engine look at what waits for it, owner by owner. */
export const createRunner = (database: Database, jobs: Jobs, log: Log, engine: Engine) => {
  const { name } = engine
  /** Owners that are worked on, and whether more was written for them meanwhile. */
  const busy = new Map<string, { again: boolean }>()
  /** Where the last turn ended, so that memories that fail do not keep the later ones waiting. */
  const reached = new Map<string, number>()
  let isStopping = false

  const run = async (ownerId: string, tasks: Task[]): Promise<void> => {
    await engine.run(
      ownerId,
      tasks.flatMap(({ memory }) => memory ?? []),
    )
    await finishTasks(database.query, ownerId, name, tasks)
  }

  /** Looks at all that waits, or as much as a turn allows. */
  const drain = async (ownerId: string): Promise<Outcome> => {
    const endsAt = performance.now() + TURN_MS
    let hasFailed = false
    let failuresInARow = 0

    /** @returns whether the engine did its work on them. */
    const attempt = async (tasks: Task[]): Promise<boolean> => {
      try {
        await run(ownerId, tasks)
        failuresInARow = 0
        return true
      } catch (error) {
        hasFailed = true
        if (tasks.length === 1) failuresInARow++
        log.warn({ error, engine: name, memories: tasks.length }, 'an engine failed')
        return false
      }
    }

    while (!isStopping && !(await isSwitchedOff(database.db, name))) {
      if (performance.now() > endsAt) return 'more'
      const after = reached.get(ownerId) ?? 0
      const tasks = await nextTasks(database.query, ownerId, name, engine.batch, after)
      const last = tasks.at(-1)
      if (!last) {
        reached.delete(ownerId)
        if (hasFailed) return 'failed'
        if (after === 0) return 'done'
        continue
      }
      const isDone = await attempt(tasks)
      // One by one, so that a bad memory holds up no other.
      for (const task of isDone || tasks.length === 1 ? [] : tasks) {
        reached.set(ownerId, task.seq)
        if (isStopping) return 'done'
        await attempt([task])
        if (failuresInARow >= FAILURES_IN_A_ROW) return 'failed'
      }
      reached.set(ownerId, last.seq)
      if (failuresInARow >= FAILURES_IN_A_ROW) return 'failed'
    }
    return 'done'
  }

  const kind: JobKind<Turn> = {
    name: `memory-${name}`,
    retries: JOB_RETRIES,
    keyOf: ({ ownerId }) => ownerId,
    concurrency: CONCURRENCY,
    pollSeconds: POLL_SECONDS,
    async run({ ownerId, attempt }) {
      const underWay = busy.get(ownerId)
      if (underWay) {
        underWay.again = true
        return
      }
      const state = { again: false }
      busy.set(ownerId, state)
      let outcome: Outcome
      try {
        do {
          state.again = false
          outcome = await drain(ownerId)
        } while (outcome === 'done' && state.again)
      } finally {
        busy.delete(ownerId)
      }
      if (outcome === 'more') await send(ownerId)
      if (outcome === 'failed' && attempt < RETRIES)
        await queue(
          { ownerId, attempt: attempt + 1 },
          FIRST_RETRY_SECONDS * RETRY_FACTOR ** attempt,
        )
    },
  }

  /** Of somebody who is deleted nothing stays, jobs neither. */
  const queue = (turn: Turn, afterSeconds = 0): Promise<void> =>
    jobs.send(kind, turn, { afterSeconds, provided: (tx) => holdOwner(tx, turn.ownerId) })

  /** Has an owner's memories looked at; after a failure not again soon when it `isSwept`. */
  const send = (ownerId: string, isSwept = false): Promise<void> =>
    queue({ ownerId, attempt: isSwept ? RETRIES : 0 })

  return {
    name,
    send,
    work: () => jobs.work(kind),
    /** Takes back what is queued for an owner, who is gone when the transaction ends. */
    forget: (tx: Db, ownerId: string) => jobs.forget(kind, { ownerId }, tx),
    /** Leaves off after what is under way; the rest waits in the database. */
    stop(): void {
      isStopping = true
      engine.stop?.()
    },
  }
}
