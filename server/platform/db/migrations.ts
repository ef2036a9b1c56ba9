import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import { repositoryFile } from '../files.ts'
import { StartError } from '../operator-error.ts'

export const migrationsFolder = repositoryFile('migrations')

/** Drizzle's table of applied migrations. */
export const APPLIED = 'drizzle.__drizzle_migrations'

/** Exists while a database is being copied from another one. */
export const COPY_MARKER = 'drizzle.svc_copy'

/** The creation times of all migrations, which identify them. */
export const knownMigrations = (): number[] => {
  const journal: { entries: { when: number }[] } = JSON.parse(
    readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'),
  )
  return journal.entries.map(({ when }) => when)
}

/** The migrations of a database, in order; none before the first start. */
export const appliedMigrations = async (
  client: Pick<postgres.Sql, 'unsafe'>,
): Promise<number[]> => {
  const [table] = await client.unsafe(`select to_regclass('${APPLIED}') is not null as exists`)
  if (!table?.exists) return []
  const applied = await client.unsafe(`select created_at from ${APPLIED} order by created_at`)
  return applied.map(({ created_at }) => Number(created_at))
}

/**
 * Refuses a database with an unknown migration, of a newer version or from before the first release, and
 * one with an unfinished copy.
 * @returns the migrations of the database.
 * @throws StartError
 */
export const checkSchema = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<number[]> => {
  const applied = await appliedMigrations(client)
  const known = knownMigrations()
  if (applied.some((migration) => migration > (known.at(-1) ?? 0)))
    throw new StartError(
      'The database has the schema of a newer svc. Start that version. To restore a backup of this one, run: svc admin restore FILE',
    )
  if (applied.some((migration) => !known.includes(migration)))
    throw new StartError(
      'The database was made by another version of svc, from before the first release. Start the version that made it and run svc export for each account, or use another database.',
    )
  const [copy] = await client.unsafe(`select to_regclass('${COPY_MARKER}') is not null as exists`)
  if (copy?.exists)
    throw new StartError(
      'The database is the target of an interrupted svc admin move. Run the same command again to finish it, or use another database.',
    )
  return applied
}
