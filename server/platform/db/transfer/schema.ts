import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { getConstructionPlans } from 'pg-boss'
import type postgres from 'postgres'
import { APPLIED, COPY_MARKER, knownMigrations, migrationsFolder } from '../migrations.ts'
import { configure, type DatabaseSession, type Transaction } from './session.ts'

interface Snapshot {
  tables: Record<string, { foreignKeys: Record<string, { tableTo: string }> }>
}

/**
 * The tables of the schema after the first `count` migrations, each after those that it references, and
 * those of the job queue.
 */
export const tablesAfter = (count: number): string[] => {
  if (count === 0) return []
  const file = `${String(count - 1).padStart(4, '0')}_snapshot.json`
  const { tables }: Snapshot = JSON.parse(
    readFileSync(join(migrationsFolder, 'meta', file), 'utf8'),
  )
  const ordered = new Set<string>()
  const add = (name: string, path: string[] = []): void => {
    if (ordered.has(name) || path.includes(name)) return
    for (const { tableTo } of Object.values(tables[name]?.foreignKeys ?? {}))
      add(`public.${tableTo}`, [...path, name])
    ordered.add(name)
  }
  for (const name of Object.keys(tables)) add(name)
  return [...ordered, ...JOB_TABLES]
}

/** Creates the empty tables of the schema after the first `count` migrations. */
export const createSchema = async (tx: Transaction, count: number): Promise<void> => {
  await tx.unsafe(`create schema if not exists drizzle;
    create table ${APPLIED} (id serial primary key, hash text not null, created_at bigint)`)
  for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder }).slice(
    0,
    count,
  )) {
    for (const statement of sql) await tx.unsafe(statement)
    await tx.unsafe(`insert into ${APPLIED} (hash, created_at) values ($1, $2)`, [
      hash,
      folderMillis,
    ])
  }
  await createJobTables(tx)
  await configure(tx)
  // Migrations have filled some.
  await tx.unsafe(`truncate ${tablesAfter(count).join(', ')}`)
}

/** The tables of svc in `public`, also those of an unfinished copy. */
const publicTables = () =>
  tablesAfter(knownMigrations().length).filter((name) => !name.startsWith(`${JOB_SCHEMA}.`))

/** Whether the database has no tables of svc. */
export const isBlank = async ({ sql }: DatabaseSession): Promise<boolean> => {
  const found = await sql.unsafe(
    'select from unnest($1::text[]) name where to_regclass(name) is not null',
    [[...publicTables(), APPLIED, COPY_MARKER]],
  )
  return found.length === 0
}

/** Drops all tables of svc. */
export const dropSchema = async (tx: Transaction): Promise<void> => {
  const tables = publicTables()
  const functions = await tx.unsafe(
    `select distinct tgfoid::regprocedure::text as name from pg_trigger
    where not tgisinternal and tgrelid in (select to_regclass(name) from unnest($1::text[]) name)`,
    [tables],
  )
  await tx.unsafe(`drop schema if exists ${JOB_SCHEMA} cascade; drop schema if exists drizzle cascade;
    ${tables.map((name) => `drop table if exists ${name} cascade;`).join('\n')}
    ${functions.map(({ name }) => `drop function if exists ${name};`).join('\n')}`)
}

/** Marks a database as the target of an unfinished copy, which no server starts with. */
export const setMarker = async (tx: Transaction): Promise<void> => {
  await tx.unsafe(`create table ${COPY_MARKER} ()`)
}

export const clearMarker = async (tx: Transaction): Promise<void> => {
  await tx.unsafe(`drop table ${COPY_MARKER}`)
}

export const isMarked = async ({ sql }: DatabaseSession): Promise<boolean> => {
  const [row] = await sql.unsafe(`select to_regclass('${COPY_MARKER}') is not null as exists`)
  return row?.exists === true
}

export const JOB_SCHEMA = 'jobs'

/** The tables of the job queue that are copied, each after those that it references. The others have statistics. */
const JOB_TABLES = ['queue', 'schedule', 'subscription', 'job', 'job_dependency'].map(
  (name) => `${JOB_SCHEMA}.${name}`,
)

/** Creates the empty tables of the job queue within a transaction. */
const createJobTables = async (tx: Pick<postgres.Sql, 'unsafe'>): Promise<void> => {
  const plan = getConstructionPlans(JOB_SCHEMA)
  await tx.unsafe(plan.slice(plan.indexOf('BEGIN;') + 'BEGIN;'.length, plan.lastIndexOf('COMMIT;')))
}

/** The version of the job queue's schema; 0 before the first start. */
export const jobSchemaVersion = async (tx: Pick<postgres.Sql, 'unsafe'>): Promise<number> => {
  const [table] = await tx.unsafe(
    `select to_regclass('${JOB_SCHEMA}.version') is not null as exists`,
  )
  if (!table?.exists) return 0
  const [row] = await tx.unsafe(`select version from ${JOB_SCHEMA}.version`)
  return Number(row?.version ?? 0)
}
