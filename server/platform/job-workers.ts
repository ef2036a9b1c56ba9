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

/** Workers that wake each other when one has finished a job. */
interface WorkerSet {
  /** Makes one of them look for a job. */
  wake(): void
  wakeAll(): void
}

/** Wakes the workers of due jobs: by a timer those that this server knows, by polling the others. */
const createWaker = (
  workers: ReadonlyMap<string, readonly WorkerSet[]>,
  { log, runs, listDue }: JobWorkersDeps,
) => {
  /** One for each kind and second. */
  const timers = new Map<string, NodeJS.Timeout>()
  let isAwake = false
  let poll: NodeJS.Timeout | undefined
  let polling = Promise.resolve()

  const wakeOne = (name: string): void => workers.get(name)?.[0]?.wake()

  /** Wakes a worker when a job is due, earlier than the next poll. */
  const wakeLater = (name: string, seconds: number): void => {
    const key = `${name} ${Math.ceil(Date.now() / 1000 + seconds)}`
    if (seconds > LONGEST_WAKE_SECONDS || timers.has(key)) return
    const wake = () => {
      timers.delete(key)
      wakeOne(name)
    }
    timers.set(key, setTimeout(wake, seconds * 1000 + WAKE_MARGIN_MS))
  }

  const wakeDue = async (): Promise<void> => {
    const due = await listDue([...workers.keys()])
    for (const name of due) for (const set of workers.get(name) ?? []) set.wakeAll()
  }

  const pollNow = (): void => {
    polling = wakeDue()
      .catch((error: unknown) => {
        if (isAwake) log.error({ error }, 'polling for jobs failed')
      })
      .then(() => {
        if (isAwake) poll = setTimeout(pollNow, POLL_MS)
      })
  }

  return {
    /** Finds the jobs that are due, and from now on those that this server queues. */
    begin(): void {
      if (!runs || isAwake) return
      isAwake = true
      pollNow()
    },

    wake(name: string, afterSeconds: number): void {
      if (!isAwake) return
      if (afterSeconds) wakeLater(name, afterSeconds)
      else wakeOne(name)
    },

    async stop(): Promise<void> {
      isAwake = false
      clearTimeout(poll)
      await polling
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
  const workers = new Map<string, readonly WorkerSet[]>()
  /** Queues are prepared in parallel with the rest of the server. */
  const preparing = new Map<string, Promise<void>>()
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

  /**
   * A set of `count` workers, each of which runs one job at a time. They start when they are first woken, because
   * each looks for a job then, and most kinds have none.
   */
  const createSet = <T extends object>(kind: JobKind<T>, count: number): WorkerSet => {
    const options = {
      pollingIntervalSeconds: WORKER_POLL_SECONDS,
      localConcurrency: count,
      ...(kind.perGroup && { localGroupConcurrency: kind.perGroup }),
    }
    let started: Promise<string[]> | undefined
    const start = async (): Promise<string[]> => {
      const first = await boss.work<T>(kind.name, options, async (jobs) => {
        for (const { id, data } of jobs) await runJob(kind, id, data)
        // Another job may be waiting.
        set.wakeAll()
      })
      return boss.getWipData().flatMap(({ id, workId }) => (workId === first ? id : []))
    }
    const notify = async (ids: Promise<string[]>, most: number): Promise<void> => {
      for (const id of (await ids).slice(0, most)) boss.notifyWorker(id)
    }
    const wake = (most: number): void => {
      const isStarted = started !== undefined
      started ??= start()
      const woken = isStarted ? notify(started, most) : started
      woken.catch((error: unknown) => log.error({ error, job: kind.name }, 'workers did not start'))
    }
    const set = { wake: () => wake(1), wakeAll: () => wake(count) }
    return set
  }

  /** A worker that has finished a job wakes its set, so sets are small. pg-boss requires `perGroup` workers. */
  const createSets = <T extends object>(kind: JobKind<T>): WorkerSet[] => {
    const { concurrency = 1, perGroup = 1 } = kind
    return Array.from({ length: Math.ceil(concurrency / perGroup) }, () =>
      createSet(kind, perGroup),
    )
  }

  return {
    /** Prepares the queue of a kind, and then runs `next`. `ready` waits for both. */
    start<T extends object>(kind: JobKind<T>, next?: () => Promise<void>): void {
      const prepared = prepareQueue(kind).then(next)
      prepared.catch(() => {})
      preparing.set(kind.name, prepared)
      if (runs) workers.set(kind.name, createSets(kind))
    },

    /** Waits until the queue of a kind exists. @throws the error of its creation. */
    prepared: async (name: string): Promise<void> => preparing.get(name),

    /** Wakes a worker of a kind, for a job that is due after `afterSeconds`. Polling wakes the others. */
    wake: waker.wake,

    /** Waits until all queues exist, and begins to run jobs. @throws the error of the first that is not created. */
    async ready(): Promise<void> {
      await Promise.all(preparing.values())
      waker.begin()
    },

    /** Stops looking for jobs, and waits for those that run. */
    async stop(): Promise<void> {
      await Promise.allSettled(preparing.values())
      await waker.stop()
      await Promise.allSettled([...workers.keys()].map((name) => boss.offWork(name)))
    },
  }
}
