import type { Database, Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from './engine.ts'
import { createRunner } from './runner.ts'
import { ownersWaiting } from './store.ts'

/** Engines start when the writes of an owner pause for so long: beside a long import they would slow it. */
const PAUSE_MS = 500
/** They wait no longer than this. */
const LATEST_MS = 10_000
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
  const runners = new Map(
    engines.map((engine) => [engine.name, createRunner(database, jobs, log, engine)]),
  )
  const names = [...runners.keys()]

  const sweep: JobKind<object> = {
    name: 'memory-engines-sweep',
    retries: 0,
    keyOf: () => 'all',
    pollSeconds: POLL_SECONDS,
    async run() {
      for (const { engine, ownerId } of await ownersWaiting(database.query, names))
        await runners.get(engine)?.send(ownerId, true)
    },
  }

  for (const runner of runners.values()) await runner.work()
  await jobs.repeat(sweep, {}, SWEEP)
  // What the last server left behind need not wait for the minute.
  await jobs.send(sweep, {})

  let isStopping = false
  const told = new Map<string, { since: number; timer: NodeJS.Timeout }>()
  const start = async (ownerId: string): Promise<void> => {
    told.delete(ownerId)
    try {
      for (const runner of runners.values()) await runner.send(ownerId)
    } catch (error) {
      log.warn({ error }, 'engines start with the next sweep')
    }
  }

  return {
    names,
    /** Those that look at what is brought in from elsewhere. */
    importNames: engines.filter(({ skipsImports }) => !skipsImports).map(({ name }) => name),
    all: engines,

    /** Tells that an owner's memories were written. The engines start shortly. */
    nudge(ownerId: string): void {
      if (isStopping) return
      const now = performance.now()
      const { since, timer } = told.get(ownerId) ?? { since: now }
      if (now - since > LATEST_MS) return
      clearTimeout(timer)
      told.set(ownerId, { since, timer: setTimeout(start, PAUSE_MS, ownerId) })
    },

    /** Looks at once for all that waits. */
    sweep: () => jobs.send(sweep, {}),

    /** Takes back what is queued for an owner who is deleted, once their memories are gone. */
    async erase(tx: Db, ownerId: string): Promise<void> {
      for (const runner of runners.values()) await runner.forget(tx, ownerId)
    },

    /** Leaves off after what is under way; the rest waits in the database. */
    stop(): void {
      isStopping = true
      for (const { timer } of told.values()) clearTimeout(timer)
      for (const runner of runners.values()) runner.stop()
    },
  }
}
