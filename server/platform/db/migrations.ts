import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import { repositoryFile } from '../files.ts'
import { StartError } from '../start-error.ts'

export const migrationsFolder = repositoryFile('migrations')

/** Drizzle's table of applied migrations. */
const APPLIED = 'drizzle.__drizzle_migrations'

/**
 * Refuses a database with an unknown migration: one from before the first release, or of a newer
 * version.
 * @throws StartError
 */
export const checkSchema = async (client: postgres.Sql): Promise<void> => {
  const [table] = await client.unsafe(`select to_regclass('${APPLIED}') is not null as exists`)
  if (!table?.exists) return
  const journal: { entries: { when: number }[] } = JSON.parse(
    readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'),
  )
  const known = new Set(journal.entries.map(({ when }) => when))
  const applied = await client.unsafe(`select created_at from ${APPLIED}`)
  if (applied.every(({ created_at }) => known.has(Number(created_at)))) return
  throw new StartError(
    'The database was made by another version of svc, newer than this one or from before the first release. Start the version that made it and run svc export for each account, or use another database.',
  )
}
