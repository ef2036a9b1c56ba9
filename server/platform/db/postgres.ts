import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { StartError } from '../start-error.ts'
import { tellingCommits } from './commits.ts'
import { clientOf, type Database, type Db, type Query } from './database.ts'
import { migrationsFolder } from './migrations.ts'

/** Any constant will do: it only has to be the same in every replica. */
const MIGRATION_LOCK = 7_283_746_512
const START_LOCK = 7_283_746_515

const OLDEST_VERSION = 150_000

const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 5
/** Enough for the other transaction to take what it waited for. */
const DEADLOCK_PAUSE_MS = 50

/**
 * Connects to a PostgreSQL server and brings its schema up to date.
 * @throws StartError when it cannot be reached, refuses the login, or is older than 15.
 */
export const openPostgres = async (url: string): Promise<Database> => {
  const options: postgres.Options<Record<string, never>> = {
    onnotice: () => {},
    connect_timeout: 10,
    // Seconds before connecting again. The driver's own count takes a pool that is cut at once for as
    // many failures in a row, and waits for 20.
    backoff: () => 0.1 + Math.random() * 0.4,
    // Compiling a recall costs more than running it. As a word: `false` would not be sent.
    connection: { application_name: 'svc', jit: 'off' },
  }
  await migratePostgres(url, options)

  const client = postgres(url, { ...options, max: 10 })
  const db = tellingCommits(retrying(drizzle(client) as unknown as Db))
  return {
    kind: 'postgres',
    db,
    query: queryOn(client),
    queryIn: (tx) => queryOn(clientOf(tx)),
    transaction: <T>(work: (query: Query) => Promise<T>) =>
      unlessDeadlocked(() => client.begin((tx) => work(queryOn(tx))) as Promise<T>),
    async script(text) {
      const connection = await client.reserve()
      const results = await connection
        .unsafe(text)
        .catch(async (error) => {
          // A transaction of the script's own may still be open: the next user must not be in it. On a
          // connection that is gone (no error, or a fatal one) nothing is open, and nothing answers.
          if (error.severity === 'ERROR') await connection.unsafe('rollback')
          throw error
        })
        .finally(() => connection.release())
      const last = Array.isArray(results[0]) ? results.findLast((rows) => rows.length) : results
      return [...((last ?? []) as Record<string, unknown>[])]
    },
    oneServerAtATime: <T>(work: () => Promise<T>) =>
      client.begin(async (tx) => {
        await tx.unsafe('select pg_advisory_xact_lock($1)', [START_LOCK])
        return work()
      }) as Promise<T>,
    async vacuum() {
      await client.unsafe('vacuum (analyze)')
    },
    close: () => client.end({ timeout: 5 }),
  }
}

const queryOn =
  (client: Pick<postgres.Sql, 'unsafe'>): Query =>
  async <T>(text: string, params: unknown[]) => {
    const rows = await client.unsafe(text, params as never[], { prepare: true })
    return rows as unknown as T[]
  }

/**
 * Of transactions that wait for each other PostgreSQL ends one, and nothing of it was done: so it is
 * done again, after a pause of random length that lets the others go on.
 */
const unlessDeadlocked = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error
      await Bun.sleep((1 + Math.random()) * DEADLOCK_PAUSE_MS * attempt)
    }
}

/** Drizzle wraps what the database says. */
const isDeadlock = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === DEADLOCK || isDeadlock(error.cause))

/** Has transactions of drizzle's done again as well; one within another is a part of it. */
const retrying = (db: Db): Db => {
  const begin = db.transaction.bind(db)
  db.transaction = (work, config) => unlessDeadlocked(() => begin(work, config))
  return db
}

/** Two replicas may start at once: an advisory lock lets one migrate while the other waits. */
const migratePostgres = async (url: string, options: postgres.Options<Record<string, never>>) => {
  const client = postgres(url, { ...options, max: 1 })
  try {
    const [row] = await client.unsafe('show server_version_num').catch((cause) => {
      throw new StartError(`SVC_DATABASE_URL: ${explain(cause, url)}`, { cause })
    })
    if (Number(row?.server_version_num) < OLDEST_VERSION)
      throw new StartError('SVC_DATABASE_URL: svc needs PostgreSQL 15 or later')
    await client.unsafe('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end({ timeout: 5 })
  }
}

const explain = (error: { code?: string; message?: string }, url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  const where = `${hostname}:${port || 5432}`
  switch (error.code) {
    case 'ECONNREFUSED':
      return `nothing answers at ${where}`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${hostname} is not known`
    case 'CONNECT_TIMEOUT':
      return `no answer from ${where} within 10 s`
    case '28P01':
    case '28000':
      return `the server at ${where} refused the login`
    case '3D000':
      return `the server at ${where} has no database ${pathname.slice(1)}`
    default:
      return `cannot connect to ${where}: ${error.message ?? error.code}`
  }
}
