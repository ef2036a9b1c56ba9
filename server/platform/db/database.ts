import { getTableColumns, type InferSelectModel } from 'drizzle-orm'
import type { AnyPgTable, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Drizzle over either database; a transaction is one too. */
export type Db = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** Runs one statement. Rows come with the columns' own names: read them with `fromRow`. */
export type Query = <T = Record<string, unknown>>(text: string, params: unknown[]) => Promise<T[]>

export interface Database {
  kind: 'postgres' | 'embedded'
  /** What runs in a transaction of it may run more than once: only the last counts. */
  db: Db
  /** In one round trip; PostgreSQL keeps the plan. */
  query: Query
  /** Runs statements within a transaction of drizzle's. */
  queryIn(tx: Db): Query
  /** Runs statements of `work` in one transaction. It may run more than once: only the last counts. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Runs one or more statements without parameters. @returns the rows of the last that had any. */
  script(text: string): Promise<Record<string, unknown>[]>
  /** Does what servers that start at once would do in each other's way. */
  oneServerAtATime<T>(work: () => Promise<T>): Promise<T>
  /** Updates the planner's statistics and what index-only scans rely on. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

/** What drizzle speaks to in a transaction. */
export const clientOf = <T>(tx: Db): T =>
  (tx as unknown as { session: { client: T } }).session.client

/** Reads a row of `table` that came from `query`: names and types as drizzle would give them. */
export const fromRow = <T extends AnyPgTable>(table: T, row: Record<string, unknown>) => {
  const model: Record<string, unknown> = {}
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value = row[column.name]
    model[key] = value === null || value === undefined ? null : column.mapFromDriverValue(value)
  }
  return model as InferSelectModel<T>
}

/** Whether the database refused a row because of a unique key; drizzle wraps what it says. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === '23505' || isUniqueViolation(error.cause))

/** The foreign key by which the database refused a row, because what it refers to is not there. */
export const violatedReference = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  const told = error as { code?: unknown; constraint_name?: string; constraint?: string }
  return told.code === '23503'
    ? (told.constraint_name ?? told.constraint)
    : violatedReference(error.cause)
}
