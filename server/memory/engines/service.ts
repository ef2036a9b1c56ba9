import type { Pace } from '../../platform/activity.ts'
import type { Database } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import { createBatchRunner } from './batches.ts'
import { createDebounce } from './debounce.ts'
import type { Engine } from './engine.ts'
import { listOwnersWithTasks } from './store.ts'
import { createEngineWorker, MAX_RETRIES } from './worker.ts'

/** A burst of writes is one run. */
const DEBOUNCE = { pauseMs: 500, maxDelayMs: 10_000 }
/** Engines that compute locally share one database connection. */
const LOCAL_CONCURRENCY = 1
/** Engines that wait for a model have a worker of their own, so that they do not delay the others. */
const REMOTE_CONCURRENCY = 2
/** Finds tasks that no server knows of: after a crash, or of an engine that was disabled. */
const SWEEP_SCHEDULE = '* * * * *'

export type Engines = ReturnType<typeof startEngines>

interface EngineDeps {
  /** Has connections of its own, so that requests never wait for those of engines. */
  database: Pick<Database, 'query'>
  jobs: Pick<Jobs, 'repeat'>
  log: Log
  pace: Pace
}

/** Runs the engines on written memories in the background. */
export const startEngines = (
  { database: { query }, jobs, log, pace }: EngineDeps,
  engines: readonly Engine[],
) => {
  const names = engines.map(({ name }) => name)
  const createWorker = (ofWorker: Engine[], concurrency: number, workerPace: Pace) => {
    const batches = createBatchRunner({ query, log, engines: ofWorker, pace: workerPace })
    return createEngineWorker(log, batches, concurrency)
  }
  const { local = [], remote = [] } = Object.groupBy(engines, ({ waitsForModel }) =>
    waitsForModel ? 'remote' : 'local',
  )
  const workers = [
    createWorker(local, LOCAL_CONCURRENCY, pace),
    ...(remote.length ? [createWorker(remote, REMOTE_CONCURRENCY, async () => {})] : []),
  ]

  const sweep = async (): Promise<void> => {
    for (const ownerId of await listOwnersWithTasks(query, names))
      for (const worker of workers) worker.request(ownerId, MAX_RETRIES)
  }
  const sweepJob: JobKind<object> = {
    name: 'memory-engines-sweep',
    retries: 0,
    keyOf: () => 'all',
    run: sweep,
  }
  jobs.repeat(sweepJob, {}, SWEEP_SCHEDULE)
  // Tasks of the last run of the server need not wait for the job.
  const firstSweep = sweep().catch((error) =>
    log.warn({ error }, 'first engine sweep failed; the next one follows in a minute'),
  )

  const writes = createDebounce((ownerId) => {
    for (const worker of workers) worker.request(ownerId)
  }, DEBOUNCE)

  return {
    names,
    /** The engines that run on imported memories. */
    importNames: engines.filter(({ skipsImports }) => !skipsImports).map(({ name }) => name),
    all: engines,

    /** Starts the engines shortly, after memories of an owner were written. */
    nudge: writes.request,

    /** Starts the engines on the tasks of all owners. */
    sweep,

    /** Resolves after the current batches; the other tasks stay in the database. */
    async stop(): Promise<void> {
      writes.stop()
      await Promise.all([firstSweep, ...workers.map((worker) => worker.stop())])
    },
  }
}
