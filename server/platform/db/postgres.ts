import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { budgets } from '../budgets.ts'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { isTracingOn } from '../telemetry/spans.ts'
import { withAfterCommit } from './after-commit.ts'
import {
  type Connections,
  type Database,
  type Db,
  driverOf,
  isDeadlock,
  type Query,
} from './database.ts'
import { isDistributed as isDistributedByCitus } from './distribution.ts'
import { isDisconnected, isUnreached } from './faults.ts'
import { limitPool } from './limited-pool.ts'
import { CONNECTION_LIMITS, NO_LIMITS, START_LIMITS, TCP_LIMITS } from './limits.ts'
import { assertLockOrder, type LockOrder, type LockOrderError } from './lock-order.ts'
import { checkSchema, migrationsFolder } from './migrations.ts'
import { applySettings, detectPooler, type Pooler, storeSettings, withClient } from './pooler.ts'
import { readsOfPrimary, readsOfReplica } from './reads.ts'
import { openReplica, type Replica } from './replica.ts'
import { REPLICA_STATEMENT_MS } from './replica-link.ts'
import { traceStatements } from './tracing.ts'

/** Keys of advisory locks: arbitrary, but the same in every replica. */
export const MIGRATION_LOCK = 7_283_746_512
const START_LOCK = 7_283_746_515

const OLDEST_VERSION = 150_000

const MAX_ATTEMPTS = 5
/** Enough for the other transaction to get its lock, and for some attempts while a pooler restarts. */
const RETRY_PAUSE_MS = 50
/** While no connection can be made, work is begun again for this long. The client would retry it later. */
const UNREACHED_RETRY_MS = 2_000

/**
 * Each connection plans every statement once, and more processes than processors wait for each other: in
 * bench/load with 100 of each request per second on two cores, 4 and 10 had a higher p95 than 6.
 */
const MAIN_CONNECTIONS = budgets.requestConnections.count
/** One for work while another has a transaction open, and two for engines that wait for a model. */
const BACKGROUND_CONNECTIONS = 4
const BULK_CONNECTIONS = 2
const IDLE_SECONDS = 60
const REPLICA_CONNECT_SECONDS = 2
const BACKGROUND_SETTINGS = { synchronous_commit: 'off' }

const PLANNER_SETTINGS = {
  // JIT compilation of a recall takes longer than the query. A string, because `false` would not be sent.
  jit: 'off',
  // Statements find rows by keys, so one plan is good for all values. Otherwise each connection plans a
  // statement for its first five executions, and planning a recall takes longer than the query. A plan
  // for one owner without statistics expects one row, and reads all rows of the owner for each key.
  plan_cache_mode: 'force_generic_plan',
}

type Options = postgres.Options<Record<string, never>>

/** Checks every statement against the lock order, in tests. */
export interface LockCheck {
  order: LockOrder
  onViolation(error: LockOrderError): void
}

/** A streaming replica of the server, for reads. */
export interface ReadReplica {
  url: string
  log: Log
}

interface Connection {
  kind: Database['kind']
  /** Used instead of `url` for the embedded server. */
  target?: Options
  url?: string
  lockCheck?: LockCheck | undefined
  replica?: ReadReplica | undefined
}

/**
 * Connects to a PostgreSQL server and migrates its schema.
 * @throws StartError when the server is unreachable, refuses the login, or is older than version 15.
 */
export const openPostgres = (
  url: string,
  lockCheck?: LockCheck,
  replica?: ReadReplica,
): Promise<Database> => connect({ kind: 'postgres', url, lockCheck, replica })

export const connect = async (connection: Connection): Promise<Database> => {
  const { kind, url, target, lockCheck } = connection
  const options: Options = {
    ...target,
    onnotice: () => {},
    connect_timeout: 10,
    // In seconds. The driver's default counts each lost connection of a pool as a consecutive failure, and
    // would wait for 20.
    backoff: () => 0.1 + Math.random() * 0.4,
    connection: { application_name: 'svc' },
  }
  const open = (more: Options) =>
    url ? postgres(url, { ...options, ...more }) : postgres({ ...options, ...more })
  const pooler = url === undefined ? undefined : await inspect(open({ max: 1 }), url)
  const { isDistributed, plannerSettings } = await migrateWith(
    open({ max: 2, prepare: false }),
    pooler,
  )

  const openPool = (
    name: string,
    max: number,
    statement_timeout: number,
    more: Options = {},
    settings: object = {},
  ) =>
    open({
      max,
      ...more,
      prepare: pooler?.keepsStatements ?? true,
      // A pooler refuses settings, except for the name.
      connection: {
        application_name: name,
        ...(!pooler && {
          ...CONNECTION_LIMITS,
          ...TCP_LIMITS,
          ...plannerSettings,
          statement_timeout,
          ...settings,
        }),
      },
    })
  const idle = { idle_timeout: IDLE_SECONDS }
  const { requestStatement, bulkStatement, backgroundStatement } = budgets
  const client = openPool('svc', MAIN_CONNECTIONS, requestStatement.ms)
  // A replica is current when it has all that is on the disk of the primary.
  const settings = connection.replica ? {} : BACKGROUND_SETTINGS
  const background = openPool(
    'svc background',
    BACKGROUND_CONNECTIONS,
    backgroundStatement.ms,
    idle,
    settings,
  )
  const bulk = openPool('svc bulk', BULK_CONNECTIONS, bulkStatement.ms, idle)
  const isPooled = pooler !== undefined
  limitPool(client, {
    // One remains for credentials.
    connections: MAIN_CONNECTIONS - 1,
    statementMs: requestStatement.ms,
    waitMs: budgets.requestConnectionWait.ms,
    isPooled,
  })
  limitPool(bulk, {
    connections: BULK_CONNECTIONS,
    statementMs: bulkStatement.ms,
    waitMs: bulkStatement.ms,
    isPooled,
  })
  if (isTracingOn()) for (const pool of [client, background, bulk]) traceStatements(pool)
  if (lockCheck)
    for (const pool of [client, background, bulk])
      assertLockOrder(pool, lockCheck.order, lockCheck.onViolation)
  const main = connectionsOf(client)
  const replica = connection.replica && followReplica(connection.replica, main.query, options)
  return {
    kind,
    isDistributed,
    ...main,
    reads: replica ? readsOfReplica(main.query, replica) : readsOfPrimary(main.query),
    background: connectionsOf(background),
    bulk: connectionsOf(bulk),
    async script(text) {
      const connection = await client.reserve()
      const results = await connection
        .unsafe(text)
        .catch(async (error) => {
          // Roll back a transaction that the script left open, before the connection is reused. After a
          // fatal or network error the connection is closed, and a rollback would get no response.
          if (error.severity === 'ERROR') await connection.unsafe('rollback')
          throw error
        })
        .finally(() => connection.release())
      const last = Array.isArray(results[0]) ? results.findLast((rows) => rows.length) : results
      return [...((last ?? []) as Record<string, unknown>[])]
    },
    oneServerAtATime: <T>(work: () => Promise<T>) =>
      client.begin(async (tx) => {
        await tx.unsafe(START_LIMITS)
        await tx.unsafe('select pg_advisory_xact_lock($1)', [START_LOCK])
        return work()
      }) as Promise<T>,
    async close() {
      await replica?.close()
      await Promise.all([client, background, bulk].map((pool) => pool.end({ timeout: 5 })))
    },
  }
}

const followReplica = ({ url, log }: ReadReplica, primary: Query, options: Options): Replica =>
  openReplica({
    primary,
    log,
    open: ({ onclose }) => {
      const client = postgres(url, {
        ...options,
        max: MAIN_CONNECTIONS,
        // A closed connection is a sign that the replica restarts.
        max_lifetime: null,
        onclose,
        connect_timeout: REPLICA_CONNECT_SECONDS,
        connection: {
          application_name: 'svc reads',
          ...PLANNER_SETTINGS,
          statement_timeout: REPLICA_STATEMENT_MS,
        },
      })
      if (isTracingOn()) traceStatements(client)
      return { client, query: connectionsOf(client).query }
    },
  })

/** The interfaces of a pool of connections. */
export const connectionsOf = (client: postgres.Sql): Connections => ({
  db: withAfterCommit(withRetry(drizzle(client) as unknown as Db)),
  query: queryRetrying(queryOn(client)),
  queryIn: (tx) => queryOn(driverOf(tx)),
  transaction: <T>(work: (query: Query) => Promise<T>) =>
    retryTransaction((begun) => client.begin((tx) => work(begun(queryOn(tx)))) as Promise<T>),
})

/** Runs statements on a connection or a transaction, as prepared statements. */
export const queryOn =
  (client: Pick<postgres.Sql, 'unsafe'>): Query =>
  async <T>(text: string, params: unknown[]) => {
    const rows = await client.unsafe(text, params as postgres.ParameterOrJSON<never>[], {
      prepare: true,
    })
    return rows as unknown as T[]
  }

/** Runs a statement again that was not executed, because no connection could be made. */
const queryRetrying =
  (query: Query): Query =>
  <T>(text: string, params: unknown[]) =>
    retrying(() => query<T>(text, params), isUnreached)

/**
 * Retries deadlocked transactions, which PostgreSQL has rolled back, and those that did not begin, because
 * the connection was closed.
 * @param run calls `begun` with the transaction when it has begun.
 */
const retryTransaction = <T>(run: (begun: <Tx>(tx: Tx) => Tx) => Promise<T>): Promise<T> => {
  let hasBegun = false
  const begun = <Tx>(tx: Tx): Tx => {
    hasBegun = true
    return tx
  }
  return retrying(
    () => run(begun),
    (error) => !hasBegun && isDisconnected(error),
  )
}

/** Runs `work` again, with jittered backoff, after a deadlock or, for a while, after what `isSafe` accepts. */
const retrying = async <T>(
  work: () => Promise<T>,
  isSafe: (error: unknown) => boolean,
): Promise<T> => {
  const endsAt = performance.now() + UNREACHED_RETRY_MS
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const isRepeated = isDeadlock(error)
        ? attempt < MAX_ATTEMPTS
        : isSafe(error) && performance.now() < endsAt
      if (!isRepeated) throw error
      await Bun.sleep((1 + Math.random()) * RETRY_PAUSE_MS * attempt)
    }
}

/** Makes drizzle transactions retry as above. A nested transaction belongs to the outer one. */
const withRetry = (db: Db): Db => {
  const begin = db.transaction.bind(db)
  db.transaction = (work, config) =>
    retryTransaction((begun) => begin((tx) => work(begun(tx)), config))
  return db
}

/**
 * @returns the pooler before PostgreSQL, if there is one.
 * @throws StartError when the server is unreachable, refuses the login, or is older than version 15.
 */
const inspect = (client: postgres.Sql, url: string): Promise<Pooler | undefined> =>
  withClient(client, async () => {
    const [row] = await client.unsafe('show server_version_num').catch((cause) => {
      throw new StartError(`SVC_DATABASE_URL: ${explainConnection(cause, url)}`, { cause })
    })
    if (Number(row?.server_version_num) < OLDEST_VERSION)
      throw new StartError('SVC_DATABASE_URL: svc needs PostgreSQL 15 or later')
    return detectPooler(client)
  })

/**
 * Migrates under an advisory lock, because replicas may start at the same time. The lock belongs to a
 * transaction, because a pooler would leave that of a session on a connection of other clients.
 */
const migrateWith = (
  client: postgres.Sql,
  pooler: Pooler | undefined,
): Promise<{ isDistributed: boolean; plannerSettings: Record<string, string> }> =>
  withClient(client, () => {
    liftLimits(client)
    return client.begin(async (tx) => {
      await tx.unsafe('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      await checkSchema(client)
      await migrate(drizzle(client), { migrationsFolder })
      const isDistributed = await isDistributedByCitus(client)
      const plannerSettings = {
        ...PLANNER_SETTINGS,
        // Citus chooses the node by the value of the owner, which a generic plan does not have.
        ...(isDistributed && { plan_cache_mode: 'auto' }),
      }
      if (pooler) {
        // The longest statement of all pools: requests have shorter limits of their own.
        const statement_timeout = `${budgets.backgroundStatement.ms}`
        const settings = { ...CONNECTION_LIMITS, ...plannerSettings, statement_timeout }
        await storeSettings(client, settings)
        // These two connections were made before.
        for (const each of [tx, client]) await applySettings(each, settings)
      }
      return { isDistributed, plannerSettings }
    })
  })

/** Lifts the limits, which connections through a pooler have, from every transaction of a client. */
const liftLimits = (client: postgres.Sql): void => {
  const begin = client.begin.bind(client)
  client.begin = (<T>(work: (tx: postgres.TransactionSql) => Promise<T>) =>
    begin(async (tx) => {
      await tx.unsafe(NO_LIMITS)
      return work(tx)
    })) as typeof client.begin
}

/** The reason why the server at `url` cannot be used. */
export const explainConnection = (
  error: { code?: string; message?: string },
  url: string,
): string => {
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
