import type { Database } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from './engine.ts'
import { finishTasks, listStates, nextTasks, ownersWaiting } from './store.ts'

/** How long writes of one owner are gathered before their engines are started. */
const GATHER_MS = 200
/** So many owners' memories are worked on at a time. */
const CONCURRENCY = 2
const RETRIES = 5
/** What this server queues is started at once. */
const POLL_SECONDS = 5
/** Looks for what waits although nobody was told: after a kill, or an engine that was off. */
const SWEEP = '* * * * *'

export type Engines = Awaited<ReturnType<typeof startEngines>>

/** Does the engines' work on what is written, in the background. */
export const startEngines = async (
  database: Database,
  jobs: Jobs,
  log: Log,
  engines: readonly Engine[],
) => {
  const isEnabled = async (engine: Engine): Promise<boolean> => {
    const states = await listStates(database.db)
    return states.find((state) => state.engine === engine.name)?.isEnabled ?? true
  }

  const drain = async (engine: Engine, ownerId: string): Promise<void> => {
    for (;;) {
      if (!(await isEnabled(engine))) return
      const tasks = await nextTasks(database.query, ownerId, engine.name, engine.batch)
      if (tasks.length === 0) return
      await engine.run(
        ownerId,
        tasks.flatMap(({ memory }) => memory ?? []),
      )
      await finishTasks(database.query, ownerId, engine.name, tasks)
    }
  }

  const kind: JobKind<{ ownerId: string }> = {
    name: 'memory-engines',
    retries: RETRIES,
    keyOf: ({ ownerId }) => ownerId,
    concurrency: CONCURRENCY,
    pollSeconds: POLL_SECONDS,
    async run({ ownerId }) {
      const outcomes = await Promise.allSettled(engines.map((engine) => drain(engine, ownerId)))
      const failures = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [outcome.reason] : [],
      )
      if (failures.length) throw new AggregateError(failures, 'an engine failed')
    },
  }

  const sweep: JobKind<object> = {
    name: 'memory-engines-sweep',
    retries: 0,
    keyOf: () => 'all',
    pollSeconds: POLL_SECONDS,
    async run() {
      const enabled: string[] = []
      for (const engine of engines) if (await isEnabled(engine)) enabled.push(engine.name)
      for (const ownerId of await ownersWaiting(database.query, enabled))
        await jobs.send(kind, { ownerId })
    },
  }

  await jobs.work(kind)
  await jobs.repeat(sweep, {}, SWEEP)

  const told = new Map<string, NodeJS.Timeout>()
  const start = (ownerId: string): void => {
    told.delete(ownerId)
    jobs
      .send(kind, { ownerId })
      .catch((error) => log.warn({ error }, 'engines start with the next sweep'))
  }

  return {
    names: engines.map(({ name }) => name),
    all: engines,

    /** Tells that an owner's memories were written. The engines start shortly. */
    nudge(ownerId: string): void {
      if (!told.has(ownerId)) told.set(ownerId, setTimeout(start, GATHER_MS, ownerId))
    },

    /** Looks at once for all that waits. */
    sweep: () => jobs.send(sweep, {}),

    stop(): void {
      for (const timer of told.values()) clearTimeout(timer)
      for (const engine of engines) engine.stop?.()
    },
  }
}
