import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import { isoText } from './db/columns.ts'
import { afterCommit } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import { createJobWorkers, type JobKind, ORDERED } from './job-workers.ts'
import type { Log } from './log.ts'

export type { JobKind } from './job-workers.ts'

/** The part of a job kind that queueing needs. */
export type JobName<T extends object> = Pick<JobKind<T>, 'name' | 'keyOf' | 'groupOf'>

interface SendOptions {
  /** The transaction of the caller. */
  tx?: Db | undefined
  /** The delay before the job starts. */
  afterSeconds?: number
  /** Queues only if this returns true. Runs within the transaction that queues. */
  provided?: ((tx: Db) => Promise<boolean>) | undefined
}

/**
 * A durable job queue in the database. Jobs outlive the request that queues them and are retried after
 * a failure or a restart.
 */
export type Jobs = Awaited<ReturnType<typeof startJobs>>

interface JobCounts {
  kind: string
  /** Delayed, waiting for a retry or for a worker. */
  waiting: number
  active: number
  /** Without retries left, in the last week; older ones are deleted. */
  failed: number
  /** When the oldest waiting job was due, in ISO 8601. */
  oldestDueAt: string | null
}

export interface JobFailure {
  kind: string
  /** In ISO 8601. */
  failedAt: string
  attempts: number
  /** The message of the last error. */
  error: string | null
}

/** Finished jobs are deleted, so there are few rows. pg-boss uses names that start with two underscores. */
const COUNTS = `
select q.name as kind,
  count(*) filter (where j.state in ('created', 'retry'))::int as waiting,
  count(*) filter (where j.state = 'active')::int as active,
  count(*) filter (where j.state = 'failed')::int as failed,
  ${isoText(`min(j.start_after)
    filter (where j.state in ('created', 'retry') and j.start_after <= now())`)} as "oldestDueAt"
from jobs.queue q left join jobs.job j on j.name = q.name
where not starts_with(q.name, '__')
group by q.name order by q.name`

const FAILURES = `
select name as kind, ${isoText('completed_on')} as "failedAt", retry_count + 1 as attempts,
  left(output->>'message', 500) as error
from jobs.job where state = 'failed' and not starts_with(name, '__')
order by completed_on desc limit $1`

/** The queues of `$1`, a JSON array of names, with a job that is due. */
const DUE = `
select n.name from jsonb_array_elements_text($1::jsonb) as n(name)
where exists (
  select from jobs.job j
  where j.name = n.name and j.state < 'active' and not j.blocked and j.start_after <= now()
)`

/** The conditions are those of an index of pg-boss. */
const ABSORB = `
delete from jobs.job
where name = $1 and singleton_key = $2 and state < 'active' and not blocked and policy = '${ORDERED}'`

const SUPERVISE_SECONDS = 10
const STOP_TIMEOUT_MS = 5_000

/**
 * Starts the job queue.
 * @param options.runs whether this server runs jobs; otherwise it only queues them for other servers.
 * @param options.retrySeconds from a failure until the first retry.
 */
export const startJobs = async (
  database: Database,
  log: Log,
  { runs, retrySeconds }: { runs: boolean; retrySeconds: number },
) => {
  const boss = await openQueue(database, log, runs)
  const listDue = async (kinds: string[]): Promise<string[]> => {
    const rows = await database.query<{ name: string }>(DUE, [JSON.stringify(kinds)])
    return rows.map(({ name }) => name)
  }
  const workers = createJobWorkers({ boss, log, runs, retrySeconds, listDue })
  const repeat = createSchedule(boss)

  return {
    async send<T extends object>(
      kind: JobName<T>,
      data: T,
      { tx, afterSeconds, provided }: SendOptions = {},
    ): Promise<void> {
      await workers.prepared(kind.name)
      const queue = (within?: Db) =>
        sending.run(within, () =>
          boss.send(kind.name, data, {
            ...placeOf(kind, data),
            ...(afterSeconds && { startAfter: afterSeconds }),
            ...(within && { db: executing(within) }),
          }),
        )
      if (provided) {
        const queueIf = async (within: Db) => {
          if (await provided(within)) await queue(within)
        }
        await (tx ? queueIf(tx) : database.db.transaction(queueIf))
      } else await queue(tx)
      const notify = () => workers.wake(kind.name, afterSeconds ?? 0)
      if (tx) afterCommit(tx, notify)
      else notify()
    },
    /** Deletes the jobs of a kind whose data contains `data`, within the caller's transaction. */
    async forget<T extends object>(kind: JobName<T>, data: Partial<T>, tx: Db): Promise<void> {
      const db = executing(tx)
      const jobs = await boss.findJobs(kind.name, { data, db })
      if (jobs.length)
        await boss.deleteJob(
          kind.name,
          jobs.map(({ id }) => id),
          { db },
        )
    },
    /** Deletes the jobs of an ordered kind that wait with the key of `data`: a running one does their work. */
    async absorb<T extends object>(
      { name, keyOf }: Pick<JobKind<T>, 'name' | 'keyOf'>,
      data: T,
    ): Promise<void> {
      await database.query(ABSORB, [name, keyOf?.(data)])
    },
    /** Creates the queue of a kind. If this server runs jobs, it runs those of this kind after `ready`. */
    work: <T extends object>(kind: JobKind<T>): void => workers.start(kind),
    /** Like `work`, and queues a job whenever `cron` matches (UTC), once for all servers. */
    repeat: <T extends object>(kind: JobKind<T>, data: T, cron: string): void =>
      workers.start(kind, async () => {
        if (runs) await repeat(kind.name, data, cron)
      }),
    /**
     * Queues a job of a kind that works whenever `cron` matches (UTC), once for all servers. Undefined ends that.
     * Does nothing on a server that runs no jobs.
     */
    async schedule<T extends object>(
      kind: JobName<T>,
      data: T,
      cron: string | undefined,
    ): Promise<void> {
      if (!runs) return
      await workers.prepared(kind.name)
      if (cron) await boss.schedule(kind.name, cron, data)
      else await boss.unschedule(kind.name)
    },
    /** Waits until all queues exist, and begins to run jobs. @throws the error of the first that is not created. */
    ready: (): Promise<void> => workers.ready(),
    /** Counts the jobs of each kind. */
    counts: (): Promise<JobCounts[]> => database.query<JobCounts>(COUNTS, []),
    /** The last jobs that failed permanently, newest first. */
    failures: (limit: number): Promise<JobFailure[]> =>
      database.query<JobFailure>(FAILURES, [limit]),
    /** Waits up to 5 seconds for running jobs. */
    async stop(): Promise<void> {
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, STOP_TIMEOUT_MS)
      await Promise.race([workers.stop(), timeout.promise]).finally(() => clearTimeout(timer))
      // A graceful stop of pg-boss would pause for half a second, and then fail what still runs as this does.
      await boss.stop({ graceful: false })
    },
  }
}

/**
 * The transaction that a job is sent in. pg-boss looks up its queue first; on another connection, as many senders as
 * there are connections would wait for each other.
 */
const sending = new AsyncLocalStorage<Db | undefined>()

/** Starts pg-boss, with its tables. */
const openQueue = async (database: Database, log: Log, runs: boolean): Promise<PgBoss> => {
  const boss = new PgBoss({
    schema: 'jobs',
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    supervise: runs,
    schedule: runs,
    db: {
      executeSql(text, values = []) {
        const tx = sending.getStore()
        return tx ? executing(tx).executeSql(text, values) : execute(database, text, values)
      },
    },
  })
  boss.on('error', (error) => log.error({ error }, 'job queue error'))
  const version = await boss.schemaVersion().catch(() => undefined)
  if (version === manifest.pgboss.schema) await boss.start()
  // The first start creates its tables.
  else await database.oneServerAtATime(() => boss.start())
  return boss
}

/** Parsing a schedule takes longer than reading all of them, and most starts find them as they should be. */
const createSchedule = (boss: PgBoss) => {
  let schedules: ReturnType<typeof boss.getSchedules> | undefined
  return async (name: string, data: object, cron: string): Promise<void> => {
    schedules ??= boss.getSchedules()
    const wanted = { name, data, cron, key: '', timezone: 'UTC' }
    if (!(await schedules).some((schedule) => Bun.deepMatch(wanted, schedule)))
      await boss.schedule(name, cron, data)
  }
}

/** pg-boss sends scripts without parameters, and objects as parameters of type JSON. */
const execute = async (database: Database, text: string, values: unknown[]) => ({
  rows: values.length ? await database.query(text, values.map(plain)) : await database.script(text),
})

/** The key and the group of a job in the queue of its kind. */
const placeOf = <T extends object>({ keyOf, groupOf }: JobName<T>, data: T) => ({
  ...(keyOf && { singletonKey: keyOf(data) }),
  ...(groupOf && { group: { id: groupOf(data) } }),
})

const executing = (tx: Db) => {
  const { executeSql } = fromDrizzle(tx as Parameters<typeof fromDrizzle>[0], sql)
  return { executeSql: (text: string, values?: unknown[]) => executeSql(text, values?.map(plain)) }
}

const plain = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
    ? JSON.stringify(value)
    : value
