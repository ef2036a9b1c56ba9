import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import { afterCommit } from './db/commits.ts'
import type { Database, Db } from './db/database.ts'
import type { Log } from './log.ts'

/** A kind of job: what it carries, and how often it is tried again. */
export interface JobKind<T extends object> {
  name: string
  /** Tried again this often: after seconds at first, then after ever longer, up to 15 minutes. */
  retries: number
  /** Of jobs with the same key one waits at most: a second one adds nothing to it. */
  keyOf?(data: T): string
  /** Whose turn it is, where nobody may keep the others waiting. */
  groupOf?(data: T): string
  /** How many run at once on a server; 1 if left out. */
  concurrency?: number
  /** How many of these at most of one group; all, if left out. */
  perGroup?: number
  /** How often each of them looks for what came due, or was queued elsewhere; 2 seconds if left out. */
  pollSeconds?: number
  run(data: T): Promise<void>
}

/** What it takes to queue a job, wherever it is done. */
export type JobName<T extends object> = Pick<JobKind<T>, 'name' | 'keyOf' | 'groupOf'>

export interface SendOptions {
  /** Within a transaction of the caller's. */
  tx?: Db | undefined
  /** Not before this many seconds have passed. */
  afterSeconds?: number
  /** Nothing is queued unless this holds; it is asked within the transaction that queues. */
  provided?: ((tx: Db) => Promise<boolean>) | undefined
}

/**
 * Work that outlives the request that asked for it: kept in the database, done once, and tried
 * again after a failure or a restart.
 */
export interface Jobs {
  send<T extends object>(kind: JobName<T>, data: T, options?: SendOptions): Promise<void>
  /** Takes back the jobs of a kind that carry all of `data`, within a transaction of the caller's. */
  forget<T extends object>(kind: JobName<T>, data: Partial<T>, tx: Db): Promise<void>
  /** Does jobs of a kind from now on. */
  work<T extends object>(kind: JobKind<T>): Promise<void>
  /** Does a job of a kind from now on whenever `cron` says so (UTC), on one of the servers. */
  repeat<T extends object>(kind: JobKind<T>, data: T, cron: string): Promise<void>
  /** How many there are of each kind. */
  counts(): Promise<JobCounts[]>
  /** Finishes what is under way. */
  stop(): Promise<void>
}

export interface JobCounts {
  kind: string
  /** For their time, or for a worker. */
  waiting: number
  active: number
  /** Tried as often as they may be, in the last week: then they are forgotten. */
  failed: number
}

/** Done jobs are deleted, so there are few to count. Names with two underscores are the queue's own. */
const COUNTS = `
select q.name as kind,
  count(*) filter (where j.state in ('created', 'retry'))::int as waiting,
  count(*) filter (where j.state = 'active')::int as active,
  count(*) filter (where j.state = 'failed')::int as failed
from jobs.queue q left join jobs.job j on j.name = q.name
where not starts_with(q.name, '__')
group by q.name order by q.name`

/** A failure that trying again would not mend. */
export class FinalFailure extends Error {
  override name = 'FinalFailure'
}

const POLL_SECONDS = 2
const FIRST_RETRY_SECONDS = 3
const LONGEST_RETRY_SECONDS = 15 * 60
/** A job whose server was killed is known by its silence, and tried again. */
const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 10
const STOP_TIMEOUT_MS = 5_000

export const startJobs = async (database: Database, log: Log): Promise<Jobs> => {
  const boss = new PgBoss({
    schema: 'jobs',
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    db: { executeSql: (text, values = []) => execute(database, text, values) },
  })
  boss.on('error', (error) => log.error({ error }, 'jobs'))
  // It makes its tables at a first start.
  await database.oneServerAtATime(() => boss.start())

  const workers = new Map<string, string>()

  const work: Jobs['work'] = async (kind) => {
    const policy = {
      retryLimit: kind.retries,
      retryDelay: FIRST_RETRY_SECONDS,
      retryDelayMax: LONGEST_RETRY_SECONDS,
      retryBackoff: true,
      heartbeatSeconds: HEARTBEAT_SECONDS,
    }
    await boss.createQueue(kind.name, { ...policy, policy: kind.keyOf ? 'short' : 'standard' })
    // One that was there keeps what it was made with.
    await boss.updateQueue(kind.name, policy)
    const options = {
      pollingIntervalSeconds: kind.pollSeconds ?? POLL_SECONDS,
      localConcurrency: kind.concurrency ?? 1,
      ...(kind.perGroup && { localGroupConcurrency: kind.perGroup }),
    }
    const worker = await boss.work<object>(kind.name, options, async (jobs) => {
      for (const { id, data } of jobs) {
        try {
          await kind.run(data as never)
        } catch (error) {
          const final = error instanceof FinalFailure
          const outcome = final ? 'it is given up' : 'it is tried again'
          log.warn({ error, job: kind.name, job_id: id }, `job failed; ${outcome}`)
          if (!final) throw error
        }
        // What is done leaves nothing behind: jobs carry secrets, such as the links of mails.
        await boss.deleteJob(kind.name, id)
      }
      // The next may be waiting already.
      boss.notifyWorker(worker)
    })
    workers.set(kind.name, worker)
  }

  return {
    async send(kind, data, { tx, afterSeconds, provided } = {}) {
      const queue = (within?: Db) =>
        boss.send(kind.name, data, {
          ...(kind.keyOf && { singletonKey: kind.keyOf(data) }),
          ...(kind.groupOf && { group: { id: kind.groupOf(data) } }),
          ...(afterSeconds && { startAfter: afterSeconds }),
          ...(within && { db: executing(within) }),
        })
      if (provided) {
        const queueIf = async (own: Db) => {
          if (await provided(own)) await queue(own)
        }
        await (tx ? queueIf(tx) : database.db.transaction(queueIf))
      } else await queue(tx)
      const worker = workers.get(kind.name)
      if (!worker || afterSeconds) return
      const notify = () => boss.notifyWorker(worker)
      if (tx) afterCommit(tx, notify)
      else notify()
    },
    async forget(kind, data, tx) {
      const db = executing(tx)
      const jobs = await boss.findJobs(kind.name, { data, db })
      if (jobs.length)
        await boss.deleteJob(
          kind.name,
          jobs.map(({ id }) => id),
          { db },
        )
    },
    work,
    async repeat(kind, data, cron) {
      await work(kind)
      await boss.schedule(kind.name, cron, data)
    },
    counts: () => database.query<JobCounts>(COUNTS, []),
    stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }),
  }
}

/** pg-boss sends scripts without parameters, and values that PostgreSQL takes as JSON. */
const execute = async (database: Database, text: string, values: unknown[]) => ({
  rows: values.length ? await database.query(text, values.map(plain)) : await database.script(text),
})

const executing = (tx: Db) => {
  const { executeSql } = fromDrizzle(tx as never, sql)
  return { executeSql: (text: string, values?: unknown[]) => executeSql(text, values?.map(plain)) }
}

const plain = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
    ? JSON.stringify(value)
    : value
