import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type postgres from 'postgres'
import { budgets } from '../budgets.ts'
import { StartError } from '../operator-error.ts'
import { isDistributed as isDistributedByCitus } from './distribution.ts'
import { databaseFailureOf } from './faults.ts'
import { CONNECTION_LIMITS, NO_LIMITS } from './limits.ts'
import { adoptSquashed, checkSchema, isMigrated, migrationsFolder } from './migrations.ts'

/** The key of an advisory lock: arbitrary, but the same in every replica. */
export const MIGRATION_LOCK = 7_283_746_512

const OLDEST_VERSION = 150_000

export const PLANNER_SETTINGS = {
  // JIT compilation of a recall takes longer than the query. A string, because `false` would not be sent.
  jit: 'off',
  // Statements find rows by keys, so one plan is good for all values. Otherwise each connection plans a
  // statement for its first five executions, and planning a recall takes longer than the query. A plan
  // for one owner without statistics expects one row, and reads all rows of the owner for each key.
  plan_cache_mode: 'force_generic_plan',
}

/**
 * @returns the pooler before PostgreSQL, if there is one.
 * @throws StartError when the server is unreachable, refuses the login, or is older than version 15.
 */
export const inspect = async (client: postgres.Sql, url: string): Promise<Pooler | undefined> => {
  const [row] = await client.unsafe('show server_version_num').catch((cause) => {
    throw new StartError(`SVC_DATABASE_URL: ${explainConnection(cause, url)}`, { cause })
  })
  if (Number(row?.server_version_num) < OLDEST_VERSION)
    throw new StartError('SVC_DATABASE_URL: svc needs PostgreSQL 15 or later')
  return detectPooler(client)
}

interface Prepared {
  isDistributed: boolean
  plannerParameters: Record<string, string>
}

/**
 * Reads what the pools need of a database without a pooler.
 * @returns undefined if it has to be migrated.
 */
export const findPrepared = async (client: postgres.Sql): Promise<Prepared | undefined> =>
  (await isMigrated(client)) ? preparedFor(await isDistributedByCitus(client)) : undefined

const preparedFor = (isDistributed: boolean): Prepared => ({
  isDistributed,
  plannerParameters: {
    ...PLANNER_SETTINGS,
    // Citus chooses the node by the value of the owner, which a generic plan does not have.
    ...(isDistributed && { plan_cache_mode: 'auto' }),
  },
})

/**
 * Migrates under an advisory lock, because replicas may start at the same time. The lock belongs to a
 * transaction, because a pooler would leave that of a session on a connection of other clients.
 */
export const migrateWith = (client: postgres.Sql, pooler: Pooler | undefined): Promise<Prepared> =>
  withClient(client, () => {
    liftLimits(client)
    return client.begin(async (tx) => {
      await tx.unsafe('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      await checkSchema(client)
      await adoptSquashed(client)
      await migrate(drizzle(client), { migrationsFolder })
      const prepared = preparedFor(await isDistributedByCitus(client))
      if (pooler) {
        // The longest statement of all pools: requests have shorter limits of their own.
        const statement_timeout = `${budgets.backgroundStatement.ms}`
        const parameters = {
          ...CONNECTION_LIMITS,
          ...prepared.plannerParameters,
          statement_timeout,
        }
        await storeParameters(client, parameters)
        // These two connections were made before.
        for (const each of [tx, client]) await applyParameters(each, parameters)
      }
      return prepared
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
    case '53300':
      return `the server at ${where} has no free connection; raise max_connections, or the connection limit of the role or the database`
    case '3D000':
      return `the server at ${where} has no database ${pathname.slice(1)}`
    default:
      return `cannot connect to ${where}: ${error.message ?? error.code}`
  }
}

/** Why a start failed, if the database refused or lost a connection after the first one; undefined otherwise. */
export const startFailureOf = (error: unknown, url: string | undefined): string | undefined => {
  if (!url || !databaseFailureOf(error)) return undefined
  let root = error as Error & { code?: string }
  while (!root.code && root.cause instanceof Error) root = root.cause
  return `SVC_DATABASE_URL: ${explainConnection(root, url)}`
}

/** A connection pooler, such as PgBouncer, between svc and PostgreSQL. */
export interface Pooler {
  /**
   * Whether a prepared statement can be executed in later transactions: the pooler prepares it on each
   * connection to PostgreSQL, as PgBouncer does with `max_prepared_statements`.
   */
  keepsStatements: boolean
}

const NAMES = 'select name from pg_prepared_statements where statement like $1'

/**
 * Detects a pooler. It must be assumed to give each transaction another connection to PostgreSQL.
 * @param client has one connection, with prepared statements.
 * @returns undefined for a connection to PostgreSQL itself.
 */
export const detectPooler = async (client: postgres.Sql): Promise<Pooler | undefined> => {
  // A pooler gives its clients process ids of its own.
  const backend = await client.unsafe('select pg_backend_pid() as pid')
  if (Number(backend[0]?.pid) === backend.state.pid) return undefined
  // One that keeps prepared statements also gives them names of its own.
  const named = await client.unsafe(NAMES, [NAMES.replace('$1', '%')], { prepare: true })
  return { keepsStatements: !named.some(({ name }) => name === named.statement.name) }
}

/** Closes a client after `work`. */
export const withClient = async <T>(client: postgres.Sql, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } finally {
    await client.end({ timeout: 5 })
  }
}

type Client = Pick<postgres.Sql, 'unsafe'>
type RoleParameters = Record<string, string | number>

/**
 * Stores the parameters that every connection of svc needs as those of its role in this database, because
 * a pooler accepts no parameters of its clients. PostgreSQL applies them to new connections.
 */
const storeParameters = async (client: Client, parameters: RoleParameters): Promise<void> => {
  const rows = await client.unsafe(`
    select unnest(setconfig) as setting from pg_db_role_setting
    where setrole = quote_ident(session_user)::regrole
      and setdatabase = (select oid from pg_database where datname = current_database())`)
  const stored = new Set(rows.map(({ setting }) => setting))
  for (const [name, value] of Object.entries(parameters))
    if (!stored.has(`${name}=${value}`))
      await client.unsafe(`
        do $$ begin
          execute format('alter role %I in database %I set %I = %L',
            session_user, current_database(), '${name}', '${value}');
        end $$`)
}

/** Applies parameters to the connection to PostgreSQL that `client` has now. They remain for its later clients. */
const applyParameters = async (client: Client, parameters: RoleParameters): Promise<void> => {
  for (const [name, value] of Object.entries(parameters))
    await client.unsafe('select set_config($1, $2, false)', [name, String(value)])
}
