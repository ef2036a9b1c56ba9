import { type GetColumnData, getTableColumns, type InferSelectModel } from 'drizzle-orm'
import type { AnyPgColumn, AnyPgTable, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** A drizzle connection or transaction. */
export type Db = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** Runs one statement. Rows have the column names of the database; `fromRow` converts them. */
export type Query = <T = Record<string, unknown>>(text: string, params: unknown[]) => Promise<T[]>

export type ReplicaState =
  | 'in use'
  | 'behind'
  | 'unreachable'
  | 'not a replica'
  | 'a replica of another database'
  | 'a connection pooler'

export interface ReplicaReport {
  state: ReplicaState
  /** Bytes of the log that are not replayed yet; undefined while the replica does not answer. */
  lagBytes?: number
  /** Seconds since the last replayed commit; 0 when all are replayed. */
  lagSeconds?: number
}

/** Reads that may be of a replica. */
export interface Reads {
  /**
   * Runs one statement that only reads. Within `run`, on the replica if it has all commits that were
   * acknowledged when `run` was called and answers; otherwise on the primary.
   */
  query: Query
  run<T>(work: () => Promise<T>): Promise<T>
  /** Undefined without `SVC_DATABASE_READ_URL`. */
  replica?: {
    report(): Promise<ReplicaReport>
    /** Calls of `run` by the server that answered their last statement. */
    counts: { replica: number; primary: number }
  }
}

/** Access to the database over one connection pool. */
export interface Connections {
  /** A transaction callback may run more than once, because deadlocked transactions are retried. */
  db: Db
  /** One round trip, as a prepared statement. */
  query: Query
  /** Runs statements within a drizzle transaction. */
  queryIn(tx: Db): Query
  /**
   * Runs the statements of `work` in one transaction. `work` may run more than once, because deadlocked
   * transactions are retried.
   */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
}

export interface Database extends Connections {
  /** `embedded`: svc runs PostgreSQL itself. `postgres`: it connects to `SVC_DATABASE_URL`. */
  kind: 'postgres' | 'embedded'
  /** Citus distributes the memories by owner over several servers. */
  isDistributed: boolean
  /**
   * A few connections for background work, separate from those of requests. Their commits may not wait for
   * the disk, so a crash may lose the last ones. Use them only for work that is then repeated.
   */
  background: Connections
  /** A few connections for requests with large writes, so that fast requests do not wait for a connection. */
  bulk: Connections
  /** Reads that need no lock and tolerate another server, such as those of a recall. */
  reads: Reads
  /**
   * Listens for notifications on one connection for all channels, which is made again when it is lost.
   * @param onNotice called with the text of each notification; without one when some may have been missed.
   * @returns undefined behind a pooler, which ends the session of a listener.
   */
  listen(channel: string, onNotice: (text?: string) => void): Promise<AsyncDisposable | undefined>
  /** Runs one or more statements without parameters. @returns the rows of the last statement that has rows. */
  script(text: string): Promise<Record<string, unknown>[]>
  /** Serializes startup work of servers that start at the same time. */
  oneServerAtATime<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The driver client of a drizzle transaction. */
export const driverOf = <T>(tx: Db): T => (tx as Db & { session: { client: T } }).session.client

const entriesOf = new WeakMap<object, [key: string, column: AnyPgColumn][]>()

/** Converts a row from `query` to the names and types of drizzle. */
export const fromColumns = <T extends Record<string, AnyPgColumn>>(
  columns: T,
  row: Record<string, unknown>,
) => {
  const entries = entriesOf.get(columns) ?? Object.entries(columns)
  entriesOf.set(columns, entries)
  const model: Record<string, unknown> = {}
  for (const [key, column] of entries) {
    const value = row[column.name]
    model[key] = value === null || value === undefined ? null : column.mapFromDriverValue(value)
  }
  return model as { [K in keyof T]: GetColumnData<T[K]> }
}

/** Converts a row of `table`. */
export const fromRow = <T extends AnyPgTable>(table: T, row: Record<string, unknown>) =>
  fromColumns(getTableColumns(table), row) as InferSelectModel<T>

/** Whether an error has an SQLSTATE, directly or as the cause: drizzle wraps errors. */
const hasState = (error: unknown, state: string): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === state || hasState(error.cause, state))

export const isUniqueViolation = (error: unknown): boolean => hasState(error, '23505')

export const isDeadlock = (error: unknown): boolean => hasState(error, '40P01')

/** The name of the violated foreign key constraint; undefined for other errors. */
export const violatedReference = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  const fields = error as { code?: unknown; constraint_name?: string; constraint?: string }
  return fields.code === '23503'
    ? (fields.constraint_name ?? fields.constraint)
    : violatedReference(error.cause)
}
