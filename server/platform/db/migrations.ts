import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readMigrationFiles } from 'drizzle-orm/migrator'
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

/** The creation times of the migrations that were squashed into the initial one, which creates the same schema. */
export const SQUASHED: readonly number[] = [
  1795330986858, 1795347084410, 1795371743735, 1795427476424, 1795443752139, 1795459041127,
  1795461723980, 1795476010534, 1795711430644, 1795726961108, 1795731344935, 1795747414150,
  1795764616122, 1795794642750, 1795796688106, 1795798606474, 1795799580371, 1795800119172,
  1795811670176, 1795816430525, 1795816550138, 1795816646467, 1795816802190, 1795826753185,
  1795829168587, 1795832426290, 1795844463083, 1795845995086, 1795896891650, 1795898002403,
  1795898638914, 1795899971150, 1795900956788, 1795902069028, 1795903082791, 1795913347948,
  1795916178938,
]

/** Maps the squashed migrations to the initial one, and others to themselves. */
export const squash = (migrations: number[]): number[] =>
  isDeepStrictEqual(migrations, SQUASHED) ? knownMigrations().slice(0, 1) : migrations

/** Whether migrations are some of the squashed ones, but not all: the others do not exist any more. */
export const lacksSquashed = (migrations: number[]): boolean =>
  migrations.length > 0 &&
  migrations.length < SQUASHED.length &&
  isDeepStrictEqual(migrations, SQUASHED.slice(0, migrations.length))

/** The version that still has the squashed migrations, for error messages. */
export const SQUASHED_VERSION =
  'the last commit with migrations/0036_folded_labels.sql (docs/how-to/install.md#update-an-old-schema)'

/** The migrations of a database, in order; none before the first start. */
export const appliedMigrations = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<number[]> =>
  squash(await storedMigrations(client))

const storedMigrations = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<number[]> => {
  const [table] = await client.unsafe(`select to_regclass('${APPLIED}') is not null as exists`)
  if (!table?.exists) return []
  const applied = await client.unsafe(`select created_at from ${APPLIED} order by created_at`)
  return applied.map(({ created_at }) => Number(created_at))
}

/** Whether a database has exactly the migrations of this version, and no unfinished copy. */
export const isMigrated = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<boolean> =>
  isDeepStrictEqual(await storedMigrations(client), knownMigrations()) && !(await hasCopy(client))

const hasCopy = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<boolean> => {
  const [copy] = await client.unsafe(`select to_regclass('${COPY_MARKER}') is not null as exists`)
  return copy?.exists === true
}

/**
 * Replaces the squashed migrations of a database by the initial one, in one statement, so that drizzle does
 * not run that. The caller has the lock of migrations.
 */
export const adoptSquashed = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<void> => {
  if (!isDeepStrictEqual(await storedMigrations(client), SQUASHED)) return
  const [initial] = readMigrationFiles({ migrationsFolder })
  if (!initial) throw new Error('there is no initial migration')
  await client.unsafe(
    `with squashed as (delete from ${APPLIED})
    insert into ${APPLIED} (hash, created_at) values ($1, $2)`,
    [initial.hash, initial.folderMillis],
  )
}

/**
 * Refuses a database with an unknown migration, of a newer version or from before the first release, one
 * that lacks squashed migrations, and one with an unfinished copy.
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
  if (lacksSquashed(applied))
    throw new StartError(
      `The database has a schema that is too old for this svc. Start ${SQUASHED_VERSION} once, and then this svc.`,
    )
  if (applied.some((migration) => !known.includes(migration)))
    throw new StartError(
      'The database was made by another version of svc, from before the first release. Start the version that made it and run svc export for each account, or use another database.',
    )
  if (await hasCopy(client))
    throw new StartError(
      'The database is the target of an interrupted svc admin move. Run the same command again to finish it, or use another database.',
    )
  return applied
}
