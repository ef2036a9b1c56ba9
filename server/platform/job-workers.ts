import type { PgBoss } from 'pg-boss'
import type { JobKind } from './jobs.ts'
import type { Log } from './log.ts'
import { traced } from './telemetry/spans.ts'

/** A permanent failure, which is not retried. */
export class FinalFailure extends Error {
  override name = 'FinalFailure'
}

const POLL_SECONDS = 2
const FIRST_RETRY_SECONDS = 3
const LONGEST_RETRY_SECONDS = 15 * 60
/** A job without a heartbeat for this long counts as failed, because its server was killed. */
const HEARTBEAT_SECONDS = 10
/** Polling finds jobs that are due later than this. */
const LONGEST_WAKE_SECONDS = 60 * 60
/** pg-boss compares with the clock of the database, which may be behind the timer. */
const WAKE_MARGIN_MS = 20

/** The workers of this server, by job kind. */
export const createJobWorkers = (boss: PgBoss, log: Log) => {
  const workers = new Map<string, string>()
  const wakeTimers = new Set<NodeJS.Timeout>()
  let isStopping = false

  /** Wakes a worker when a job is due, earlier than its next poll. */
  const wakeLater = (worker: string, seconds: number): void => {
    if (seconds > LONGEST_WAKE_SECONDS) return
    const wake = () => {
      wakeTimers.delete(timer)
      boss.notifyWorker(worker)
    }
    const timer = setTimeout(wake, seconds * 1000 + WAKE_MARGIN_MS)
    wakeTimers.add(timer)
  }

  /** Workers start in parallel with the rest of the server, because each needs several statements. */
  const starting = new Map<string, Promise<void>>()
  const begin = (name: string, started: Promise<void>): void => {
    started.catch(() => {})
    starting.set(name, started)
  }

  const startWorker = async <T extends object>(kind: JobKind<T>): Promise<void> => {
    const policy = {
      retryLimit: kind.retries,
      retryDelay: FIRST_RETRY_SECONDS,
      retryDelayMax: LONGEST_RETRY_SECONDS,
      retryBackoff: true,
      heartbeatSeconds: HEARTBEAT_SECONDS,
    }
    await boss.createQueue(kind.name, { ...policy, policy: kind.keyOf ? 'short' : 'standard' })
    // createQueue does not change an existing queue.
    await boss.updateQueue(kind.name, policy)
    const options = {
      pollingIntervalSeconds: kind.pollSeconds ?? POLL_SECONDS,
      localConcurrency: kind.concurrency ?? 1,
      ...(kind.perGroup && { localGroupConcurrency: kind.perGroup }),
    }
    const worker = await boss.work<T>(kind.name, options, async (jobs) => {
      for (const { id, data } of jobs) {
        try {
          await traced(`job ${kind.name}`, {}, async () => kind.run(data))
        } catch (error) {
          const final = error instanceof FinalFailure
          const outcome = final ? 'it was abandoned' : 'it will be retried'
          log.warn({ error, job: kind.name, job_id: id }, `job failed; ${outcome}`)
          if (!final) throw error
        }
        // Finished jobs are deleted, because their data has secrets such as the links in emails.
        await boss.deleteJob(kind.name, id)
      }
      // Another job may be waiting.
      boss.notifyWorker(worker)
    })
    workers.set(kind.name, worker)
  }

  return {
    /** Starts the worker of a kind, and then runs `next`. `ready` waits for both. */
    start<T extends object>(kind: JobKind<T>, next?: () => Promise<void>): void {
      begin(kind.name, startWorker(kind).then(next))
    },

    /** Waits until the worker of a kind runs, if this server starts one. @throws the error of its start. */
    started: async (name: string): Promise<void> => starting.get(name),

    /** Wakes the worker of a kind, for a job that is due after `afterSeconds`. */
    wake(name: string, afterSeconds: number): void {
      const worker = workers.get(name)
      if (!worker || isStopping) return
      if (afterSeconds) wakeLater(worker, afterSeconds)
      else boss.notifyWorker(worker)
    },

    /** @throws the error of the first worker that does not start. */
    async ready(): Promise<void> {
      await Promise.all(starting.values())
    },

    /** Stops waking workers, when all of them have started. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.allSettled(starting.values())
      for (const timer of wakeTimers) clearTimeout(timer)
    },
  }
}
