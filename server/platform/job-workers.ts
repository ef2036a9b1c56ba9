import type { PgBoss, Queue, QueuePolicy, QueueResult } from 'pg-boss'
import type { Log } from './log.ts'
import { traced } from './telemetry.ts'

/** A kind of job: its data, retries and concurrency. */
export interface JobKind<T extends object> {
  name: string
  /** The number of retries, with exponential backoff from 3 seconds to 15 minutes. */
  retries: number
  /** The seconds before each retry, in place of the backoff. */
  retrySeconds?: number
  /** Deduplicates waiting jobs: at most one job of each key waits. */
  keyOf?(data: T): string
  /**
   * Runs the jobs of a key one after another on all servers, and does not deduplicate them. One that waits for a retry,
   * or has failed permanently, holds up the others.
   */
  isOrdered?: boolean
  /** The group whose concurrency `perGroup` limits, such as a user. */
  groupOf?(data: T): string
  /** Jobs that run at once on a server; 1 if left out. */
  concurrency?: number
  /** The most of these that belong to one group; no limit if left out. */
  perGroup?: number
  run(data: T): Promise<void>
}

/** A permanent failure, which is not retried. */
export class FinalFailure extends Error {
  override name = 'FinalFailure'
}

/** The interval in which due jobs of all queues are found with one statement. */
const POLL_MS = 1_000
/** The interval in which pg-boss polls for each worker, which it cannot disable. */
const WORKER_POLL_SECONDS = 60
const LONGEST_RETRY_SECONDS = 15 * 60
/** The policy of ordered kinds. */
export const ORDERED = 'key_strict_fifo'
/** A job without a heartbeat for this long counts as failed, because its server was killed. */
const HEARTBEAT_SECONDS = 10
/** pg-boss deletes jobs that have been due for longer, because no server ran. */
const KEPT_SECONDS = 365 * 24 * 60 * 60
/** Polling finds jobs that are due later than this. */
const LONGEST_WAKE_SECONDS = 60 * 60
/** pg-boss compares with the clock of the database, which may be behind the timer. */
const WAKE_MARGIN_MS = 20

interface JobWorkersDeps {
  boss: PgBoss
  log: Log
  /** Whether this server runs jobs; otherwise it only creates the queues. */
  runs: boolean
  /** From a failure until the first retry. */
  retrySeconds: number
  /** @returns those of the queues that have a job that is due. */
  listDue(queues: string[]): Promise<string[]>
}

/** Creates and updates the queues of pg-boss. */
const createQueues = (boss: PgBoss, retrySeconds: number) => {
  let existing: Promise<QueueResult[]> | undefined

  /** Creating a queue waits for the locks of the others, and most starts find all queues as they should be. */
  const prepare = async (
    name: string,
    options: Omit<Queue, 'name' | 'policy' | 'partition' | 'deadLetter'>,
    policy: QueuePolicy,
  ): Promise<void> => {
    existing ??= boss.getQueues()
    const found = (await existing).find((queue) => queue.name === name)
    if (!found) await boss.createQueue(name, { ...options, policy })
    // Creating a queue does not change one that another server has created in the meantime.
    if (!found || !Bun.deepMatch(options, found)) await boss.updateQueue(name, options)
  }

  return <T extends object>(kind: JobKind<T>): Promise<void> => {
    const options = {
      retryLimit: kind.retries,
      ...(kind.retrySeconds
        ? { retryDelay: kind.retrySeconds, retryBackoff: false }
        : { retryDelay: retrySeconds, retryBackoff: true, retryDelayMax: LONGEST_RETRY_SECONDS }),
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: KEPT_SECONDS,
    }
    const policy = kind.keyOf ? 'short' : 'standard'
    return prepare(kind.name, options, kind.isOrdered ? ORDERED : policy)
  }
}

/** Wakes the workers of due jobs: by a timer those that this server knows, by polling the others. */
const createWaker = (
  workers: ReadonlyMap<string, string[]>,
  { boss, log, runs, listDue }: JobWorkersDeps,
) => {
  /** One for each worker and second. */
  const timers = new Map<string, NodeJS.Timeout>()
  let isStopping = false
  let poll: NodeJS.Timeout | undefined
  let polling = Promise.resolve()

  const wakeAll = (ids: string[]): void => {
    for (const id of ids) boss.notifyWorker(id)
  }

  /** Wakes a worker when a job is due, earlier than its next poll. */
  const wakeLater = (worker: string, seconds: number): void => {
    const key = `${worker} ${Math.ceil(Date.now() / 1000 + seconds)}`
    if (seconds > LONGEST_WAKE_SECONDS || timers.has(key)) return
    const wake = () => {
      timers.delete(key)
      boss.notifyWorker(worker)
    }
    timers.set(key, setTimeout(wake, seconds * 1000 + WAKE_MARGIN_MS))
  }

  const wakeDue = async (): Promise<void> => {
    const due = await listDue([...workers.keys()])
    for (const name of due) wakeAll(workers.get(name) ?? [])
  }

  const pollLater = (): void => {
    if (isStopping) return
    poll = setTimeout(() => {
      polling = wakeDue()
        .catch((error: unknown) => {
          if (!isStopping) log.error({ error }, 'polling for jobs failed')
        })
        .then(pollLater)
    }, POLL_MS)
  }
  if (runs) pollLater()

  return {
    wakeAll,

    wake(name: string, afterSeconds: number): void {
      const worker = workers.get(name)?.[0]
      if (!worker || isStopping) return
      if (afterSeconds) wakeLater(worker, afterSeconds)
      else boss.notifyWorker(worker)
    },

    /** @param starting the starts of workers, which it waits for. */
    async stop(starting: Iterable<Promise<void>>): Promise<void> {
      isStopping = true
      clearTimeout(poll)
      await Promise.allSettled([...starting, polling])
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}

/**
 * The workers of this server, by job kind. A worker is woken when this server queues a job. Jobs of other
 * servers, retries and late jobs are found by polling.
 */
export const createJobWorkers = (deps: JobWorkersDeps) => {
  const { boss, log, runs, retrySeconds } = deps
  /** The ids of the workers of each kind. */
  const workers = new Map<string, string[]>()
  /** Workers start in parallel with the rest of the server, because each needs several statements. */
  const starting = new Map<string, Promise<void>>()
  const prepareQueue = createQueues(boss, retrySeconds)
  const waker = createWaker(workers, deps)

  /** Finished jobs are deleted, because their data has secrets such as the links in emails. */
  const runJob = async <T extends object>(kind: JobKind<T>, id: string, data: T): Promise<void> => {
    try {
      await traced(`job ${kind.name}`, {}, async () => kind.run(data))
    } catch (error) {
      const final = error instanceof FinalFailure
      const outcome = final ? 'it was abandoned' : 'it will be retried'
      log.warn({ error, job: kind.name, job_id: id }, `job failed; ${outcome}`)
      if (!final) throw error
    }
    await boss.deleteJob(kind.name, id)
  }

  /** Starts `count` workers, each of which runs one job at a time. @returns their ids. */
  const startWorkers = async <T extends object>(
    kind: JobKind<T>,
    count: number,
  ): Promise<string[]> => {
    let ids: string[] = []
    const options = {
      pollingIntervalSeconds: WORKER_POLL_SECONDS,
      localConcurrency: count,
      ...(kind.perGroup && { localGroupConcurrency: kind.perGroup }),
    }
    const first = await boss.work<T>(kind.name, options, async (jobs) => {
      for (const { id, data } of jobs) await runJob(kind, id, data)
      // Another job may be waiting.
      waker.wakeAll(ids)
    })
    ids = boss.getWipData().flatMap(({ id, workId }) => (workId === first ? id : []))
    return ids
  }

  const startKind = async <T extends object>(kind: JobKind<T>): Promise<void> => {
    await prepareQueue(kind)
    if (!runs) return
    // A worker that has finished a job wakes its set, so sets are small. pg-boss requires `perGroup` workers.
    const { concurrency = 1, perGroup = 1 } = kind
    const ids: string[] = []
    for (let count = 0; count < concurrency; count += perGroup)
      ids.push(...(await startWorkers(kind, perGroup)))
    workers.set(kind.name, ids)
  }

  return {
    /** Starts the workers of a kind, and then runs `next`. `ready` waits for both. */
    start<T extends object>(kind: JobKind<T>, next?: () => Promise<void>): void {
      const started = startKind(kind).then(next)
      started.catch(() => {})
      starting.set(kind.name, started)
    },

    /** Waits until the queue of a kind exists and its workers run. @throws the error of their start. */
    started: async (name: string): Promise<void> => starting.get(name),

    /** Wakes a worker of a kind, for a job that is due after `afterSeconds`. Polling wakes the others. */
    wake: waker.wake,

    /** @throws the error of the first worker that does not start. */
    async ready(): Promise<void> {
      await Promise.all(starting.values())
    },

    /** Stops waking workers, when all of them have started. */
    stop: () => waker.stop(starting.values()),
  }
}
