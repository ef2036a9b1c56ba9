import type { Database } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Pauses } from '../../platform/pauses.ts'
import type { Pace } from '../../platform/request-rate.ts'
import { createBatchRunner } from './batches.ts'
import type { Engine } from './engine.ts'
import { deleteExpiredLeases, type EngineWorkerName } from './lease-store.ts'
import { createLeases } from './leases.ts'
import { listOwnersWithTasks } from './store.ts'
import { createEngineWorker, MAX_RETRIES } from './worker.ts'

/** The longest that writes without a pause delay a run. */
const MAX_DELAY_MS = 10_000
/** Engines that compute locally share one database connection. */
const LOCAL_CONCURRENCY = 1
/** Engines that wait for a model have a worker of their own, so that they do not delay the others. */
const REMOTE_CONCURRENCY = 2
/** A server that stops, or is killed, leaves the owner to another one. */
const REQUEST_RETRIES = 3
/** Finds tasks that no server knows of: after a crash, or of an engine that was disabled. */
const SWEEP_SCHEDULE = '* * * * *'

export type Engines = ReturnType<typeof startEngines>

interface EngineDeps {
  /** Has connections of its own, so that requests never wait for those of engines. */
  database: Pick<Database, 'kind' | 'query' | 'transaction' | 'isDistributed'>
  jobs: Pick<Jobs, 'work' | 'repeat' | 'send'>
  log: Log
  pace: Pace
  pauses: Pauses
  /** Whether this server runs the engines; otherwise it requests that another one does. */
  isRunner: boolean
}

/** Runs the engines on the tasks of owners. */
const createRunner = ({ database, log, pace, pauses }: EngineDeps, engines: readonly Engine[]) => {
  const { kind, query } = database
  const createWorker = (
    name: EngineWorkerName,
    ofWorker: Engine[],
    { concurrency, pace }: { concurrency: number; pace: Pace },
  ) => {
    const batches = createBatchRunner({ database, log, engines: ofWorker, pace })
    // The embedded database has one server only.
    const leases = kind === 'embedded' ? undefined : createLeases(query, name, log)
    return createEngineWorker({ log, batches, leases, concurrency, retryMs: pauses.engineRetryMs })
  }
  const { local = [], remote = [] } = Object.groupBy(engines, ({ waitsForModel }) =>
    waitsForModel ? 'remote' : 'local',
  )
  const workers = [
    createWorker('local', local, { concurrency: LOCAL_CONCURRENCY, pace }),
    ...(remote.length
      ? [createWorker('remote', remote, { concurrency: REMOTE_CONCURRENCY, pace: async () => {} })]
      : []),
  ]
  const names = engines.map(({ name }) => name)
  /** Requests all owners with tasks. */
  const sweep = async (): Promise<void> => {
    for (const ownerId of await listOwnersWithTasks(database, names))
      for (const worker of workers) worker.request(ownerId, MAX_RETRIES)
  }
  // Tasks of the last run of the server need not wait for the job.
  const firstSweep = sweep().catch((error) =>
    log.warn({ error }, 'first engine sweep failed; the next one follows in a minute'),
  )
  return {
    request(ownerId: string): void {
      for (const worker of workers) worker.request(ownerId)
    },

    /** Requests an owner. @returns when the engines have run. */
    async run(ownerId: string): Promise<void> {
      await Promise.all(workers.map((worker) => worker.run(ownerId)))
    },
    sweep,

    /** Resolves after the current batches; the other tasks stay in the database. */
    async stop(): Promise<void> {
      await Promise.all([firstSweep, ...workers.map((worker) => worker.stop())])
    },
  }
}

/** Starts the engines, which process written memories in the background. */
export const startEngines = (deps: EngineDeps, engines: readonly Engine[]) => {
  const { database, jobs, log, pauses, isRunner } = deps
  const names = engines.map(({ name }) => name)
  const runner = isRunner ? createRunner(deps, engines) : undefined

  /** An owner with tasks that a server without engines has written. */
  const requestJob: JobKind<{ ownerId: string }> = {
    name: 'memory-engines',
    retries: REQUEST_RETRIES,
    // A server takes no more owners than it runs at a time, and leaves the others to other servers.
    concurrency: REMOTE_CONCURRENCY,
    keyOf: ({ ownerId }) => ownerId,
    run: async ({ ownerId }) => runner?.run(ownerId),
  }
  const sweepJob: JobKind<object> = {
    name: 'memory-engines-sweep',
    retries: 0,
    keyOf: () => 'all',
    async run() {
      await deleteExpiredLeases(database.query)
      await runner?.sweep()
    },
  }
  jobs.work(requestJob)
  jobs.repeat(sweepJob, {}, SWEEP_SCHEDULE)

  const requestElsewhere = (ownerId: string): void => {
    jobs
      .send(requestJob, { ownerId })
      .catch((error) =>
        log.warn({ error }, 'engines were not requested; the sweep of each minute finds the tasks'),
      )
  }
  const writes = createDebounce(runner?.request ?? requestElsewhere, {
    pauseMs: pauses.engineDebounceMs,
    maxDelayMs: MAX_DELAY_MS,
  })

  return {
    names,

    /** The engines that run on imported memories. */
    importNames: engines.filter(({ skipsImports }) => !skipsImports).map(({ name }) => name),
    all: engines,

    /** Starts the engines shortly, after memories of an owner were written. */
    schedule: writes.request,

    /** Starts the engines on the tasks of all owners. */
    sweep: runner?.sweep ?? (() => jobs.send(sweepJob, {})),

    /** Resolves after the current batches; the other tasks stay in the database. */
    async stop(): Promise<void> {
      // Requests that are still open may write, and other servers go on.
      if (!runner) return writes.flush()
      writes.stop()
      await runner.stop()
    },
  }
}

/**
 * Calls `run` for a key after its requests have paused for `pauseMs`. While requests continue, the call
 * is delayed by little more than `maxDelayMs`.
 */
export const createDebounce = (
  run: (key: string) => void,
  { pauseMs, maxDelayMs }: { pauseMs: number; maxDelayMs: number },
) => {
  let isStopped = false
  let isFlushing = false
  const pending = new Map<string, { since: number; timer: NodeJS.Timeout }>()
  const start = (key: string): void => {
    pending.delete(key)
    run(key)
  }
  return {
    request(key: string): void {
      if (isFlushing) run(key)
      if (isStopped || isFlushing) return
      const now = performance.now()
      const { since, timer } = pending.get(key) ?? { since: now }
      if (now - since > maxDelayMs) return
      clearTimeout(timer)
      pending.set(key, { since, timer: setTimeout(start, pauseMs, key) })
    },

    /** Makes pending calls now, and later ones at once. */
    flush(): void {
      isFlushing = true
      for (const [key, { timer }] of pending) {
        clearTimeout(timer)
        start(key)
      }
    },

    /** Drops pending calls. */
    stop(): void {
      isStopped = true
      for (const { timer } of pending.values()) clearTimeout(timer)
    },
  }
}
