import type postgres from 'postgres'

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
type Settings = Record<string, string | number>

/**
 * Stores the settings that every connection of svc needs as those of its role in this database, because
 * a pooler accepts no settings of its clients. PostgreSQL applies them to new connections.
 */
export const storeSettings = async (client: Client, settings: Settings): Promise<void> => {
  const rows = await client.unsafe(`
    select unnest(setconfig) as setting from pg_db_role_setting
    where setrole = quote_ident(session_user)::regrole
      and setdatabase = (select oid from pg_database where datname = current_database())`)
  const stored = new Set(rows.map(({ setting }) => setting))
  for (const [name, value] of Object.entries(settings))
    if (!stored.has(`${name}=${value}`))
      await client.unsafe(`
        do $$ begin
          execute format('alter role %I in database %I set %I = %L',
            session_user, current_database(), '${name}', '${value}');
        end $$`)
}

/** Applies settings to the connection to PostgreSQL that `client` has now. They remain for its later clients. */
export const applySettings = async (client: Client, settings: Settings): Promise<void> => {
  for (const [name, value] of Object.entries(settings))
    await client.unsafe('select set_config($1, $2, false)', [name, String(value)])
}
