import postgres from 'postgres'
import { budgets } from '../budgets.ts'
import type { Log } from '../log.ts'
import { isTracingOn } from '../telemetry.ts'
import { connectionsOf } from './connections.ts'
import type { Database, Query } from './database.ts'
import { traceQueries } from './driver-statement.ts'
import { ALONE, limitPool } from './limited-pool.ts'
import { CONNECTION_LIMITS, START_LIMITS, TCP_LIMITS } from './limits.ts'
import { createListeners } from './listener.ts'
import { assertLockOrder, type LockOrder, type LockOrderError } from './lock-order.ts'
import {
  findPrepared,
  inspect,
  migrateWith,
  PLANNER_SETTINGS,
  type Pooler,
  withClient,
} from './preparation.ts'
import { readsOfPrimary, readsOfReplica } from './reads.ts'
import { openReplica, type Replica } from './replica.ts'
import { REPLICA_STATEMENT_MS } from './replica-link.ts'

/** The key of an advisory lock: arbitrary, but the same in every replica. */
const START_LOCK = 7_283_746_515

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
  const options: Options = { ...target, ...DRIVER_OPTIONS }
  const open: OpenClient = (more) =>
    url ? postgres(url, { ...options, ...more }) : postgres({ ...options, ...more })
  const first = open({ max: 1, fetch_types: true })
  const { pooler, prepared } = await withClient(first, async () => {
    const pooler = url === undefined ? undefined : await inspect(first, url)
    return { pooler, prepared: pooler ? undefined : await findPrepared(first) }
  })
  const { isDistributed, plannerParameters } =
    prepared ?? (await migrateWith(open({ max: 2, prepare: false }), pooler))
  const withTypes = (client: postgres.Sql) => withArrayTypes(client, first)
  const pools = openPools((more) => withTypes(open(more)), pooler, {
    plannerParameters,
    // A replica is current when it has all that is on the disk of the primary.
    backgroundSettings: connection.replica ? {} : BACKGROUND_SETTINGS,
  })
  const { client, background, bulk } = pools
  for (const pool of Object.values(pools)) {
    if (isTracingOn()) traceQueries(pool)
    if (lockCheck) assertLockOrder(pool, lockCheck.order, lockCheck.onViolation)
  }
  const main = connectionsOf(client)
  const listeners = createListeners((more) =>
    open({ ...more, connection: { application_name: 'svc listen', ...TCP_LIMITS } }),
  )
  const replica =
    connection.replica &&
    followReplica(connection.replica, main.query, (url, more) =>
      withTypes(postgres(url, { ...options, ...more })),
    )
  return {
    kind,
    isDistributed,
    ...main,
    reads: replica ? readsOfReplica(main.query, replica) : readsOfPrimary(main.query),
    background: connectionsOf(background),
    bulk: connectionsOf(bulk),
    listen: async (channel, onNotice) => (pooler ? undefined : listeners.listen(channel, onNotice)),
    script: (text) => runScript(client, text),
    oneServerAtATime: <T>(work: () => Promise<T>) =>
      client.begin(async (tx) => {
        await tx.unsafe(START_LIMITS)
        await tx.unsafe('select pg_advisory_xact_lock($1)', [START_LOCK])
        return work()
      }) as Promise<T>,
    async close() {
      await replica?.close()
      await Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: 5 })))
    },
  }
}

const DRIVER_OPTIONS: Options = {
  onnotice: () => {},
  connect_timeout: 10,
  // The driver would ask for them on each connection.
  fetch_types: false,
  // In seconds. The driver's default counts each lost connection of a pool as a consecutive failure, and
  // would wait for 20.
  backoff: () => 0.1 + Math.random() * 0.4,
  connection: { application_name: 'svc' },
}

/** Makes a client read and write arrays of the types that another one has fetched. */
const withArrayTypes = (client: postgres.Sql, fetched: postgres.Sql): postgres.Sql => {
  const { parsers, serializers } = fetched.options
  for (const oid of Object.keys(parsers).map(Number)) {
    const [parse, serialize] = [parsers[oid], serializers[oid]]
    if (!parse || !serialize || !('array' in parse)) continue
    client.options.parsers[oid] = parse
    client.options.serializers[oid] = serialize
  }
  return client
}

type OpenClient = (options: Options) => postgres.Sql

interface PoolOptions {
  name: string
  max: number
  statementMs: number
  options?: Options
  settings?: object
}

/** Opens the pools for requests, for background work, and for requests with large writes. */
const openPools = (
  open: OpenClient,
  pooler: Pooler | undefined,
  {
    plannerParameters,
    backgroundSettings,
  }: { plannerParameters: object; backgroundSettings: object },
) => {
  const openPool = ({ name, max, statementMs, options, settings }: PoolOptions) => {
    const pool = open({
      max,
      ...options,
      prepare: pooler?.keepsStatements ?? true,
      // A pooler refuses settings, except for the name.
      connection: {
        application_name: name,
        ...(!pooler && {
          ...CONNECTION_LIMITS,
          ...TCP_LIMITS,
          ...plannerParameters,
          statement_timeout: statementMs,
          ...settings,
        }),
      },
    })
    if (pooler) sendAlone(pool)
    return pool
  }
  const options = { idle_timeout: IDLE_SECONDS }
  const { requestStatement, bulkStatement, backgroundStatement } = budgets
  const client = openPool({
    name: 'svc',
    max: MAIN_CONNECTIONS,
    statementMs: requestStatement.ms,
  })
  const background = openPool({
    name: 'svc background',
    max: BACKGROUND_CONNECTIONS,
    statementMs: backgroundStatement.ms,
    options,
    settings: backgroundSettings,
  })
  const bulk = openPool({
    name: 'svc bulk',
    max: BULK_CONNECTIONS,
    statementMs: bulkStatement.ms,
    options,
  })
  const isPooled = pooler !== undefined
  limitPool(client, {
    // One remains for credentials, unless transactions of accounts use others beside their own.
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
  return { client, background, bulk }
}

/**
 * Makes a pool send each statement on a connection that waits for no other. PgBouncer would give the connection
 * to PostgreSQL to another client between two statements, although the second has begun, and never answer
 * that (https://github.com/pgbouncer/pgbouncer/issues/759).
 */
const sendAlone = (pool: postgres.Sql): void => {
  const unsafe = pool.unsafe.bind(pool)
  pool.unsafe = ((text, args = [], options = {}) =>
    unsafe(text, args, { ...ALONE, ...options })) as typeof pool.unsafe
}

const runScript = async (
  client: postgres.Sql,
  text: string,
): Promise<Record<string, unknown>[]> => {
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
}

const followReplica = (
  { url, log }: ReadReplica,
  primary: Query,
  connectTo: (url: string, options: Options) => postgres.Sql,
): Replica =>
  openReplica({
    primary,
    log,
    open: ({ onclose }) => {
      const client = connectTo(url, {
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
      limitPool(client, {
        // One remains for the position of the replica.
        connections: MAIN_CONNECTIONS - 1,
        statementMs: REPLICA_STATEMENT_MS,
        waitMs: REPLICA_STATEMENT_MS,
        isPooled: false,
      })
      if (isTracingOn()) traceQueries(client)
      return { client, query: connectionsOf(client).query }
    },
  })
