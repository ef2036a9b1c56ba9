import { getTableColumns, type InferSelectModel } from 'drizzle-orm'
import type { AnyPgTable, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Drizzle over either database; a transaction is one too. */
export type Db = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** Runs one statement. Rows come with the columns' own names: read them with `fromRow`. */
export type Query = <T = Record<string, unknown>>(text: string, params: unknown[]) => Promise<T[]>

export interface Database {
  kind: 'postgres' | 'embedded'
  db: Db
  /** In one round trip; PostgreSQL keeps the plan. */
  query: Query
  /** Runs statements of `work` in one transaction. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Runs one or more statements without parameters. @returns the rows of the last that had any. */
  script(text: string): Promise<Record<string, unknown>[]>
  /** Updates the planner's statistics and what index-only scans rely on. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

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
