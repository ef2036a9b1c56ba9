import { finished } from 'node:stream/promises'
import type { Blobs } from '../../platform/blobs.ts'
import {
  knownMigrations,
  lacksSquashed,
  SQUASHED_VERSION,
  squash,
} from '../../platform/db/migrations.ts'
import {
  createSchema,
  dropSchema,
  JOB_SCHEMA,
  jobSchemaVersion,
  tablesAfter,
} from '../../platform/db/transfer/schema.ts'
import {
  type DatabaseSession,
  queryWithin,
  type Transaction,
} from '../../platform/db/transfer/session.ts'
import {
  analyze,
  copyIn,
  countRows,
  describeTables,
  majorOf,
  readSequences,
  setSequences,
  type Table,
} from '../../platform/db/transfer/tables.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { parseSecrets, replaceAuthSecret } from '../../platform/secrets/auth-secret.ts'
import { type ArchiveFile, damaged, readArchive } from './archive-reader.ts'
import { type BackupManifest, ENTRIES } from './manifest.ts'
import { type Contents, verifyArchive } from './verify-archive.ts'

/** A verified archive. */
export interface Archive extends Contents, ArchiveFile {}

/**
 * Reads the whole archive before anything is changed.
 * @throws OperatorError when it is damaged, of a newer version, or lacks squashed migrations.
 */
export const openArchive = async (file: ArchiveFile): Promise<Archive> => {
  const { path } = file
  const contents = await verifyArchive(file)
  const migrations = squash(contents.manifest.migrations)
  if (lacksSquashed(migrations))
    throw new OperatorError(
      `${path} has a schema that is too old for this svc. Restore it with ${SQUASHED_VERSION}, start that once, and back up again`,
    )
  const known = knownMigrations()
  if (migrations.some((migration, index) => migration !== known[index]))
    throw newer(path, contents.manifest)
  return { ...file, ...contents, manifest: { ...contents.manifest, migrations } }
}

/**
 * Restores the tables in one transaction, and the blobs.
 * @returns the major version of PostgreSQL.
 * @throws OperatorError when the archive does not fit its manifest, or needs a newer version.
 */
export const restore = (
  session: DatabaseSession,
  blobs: Blobs,
  archive: Archive,
  { overwrites, report }: { overwrites: boolean; report(text: string): void },
): Promise<number> =>
  session.write(async (tx) => {
    const { path, manifest, authSecret } = archive
    if (overwrites) await dropSchema(tx)
    await createSchema(tx, manifest.migrations.length)
    await checkManifest(tx, path, manifest)
    await loadEntries(tx, blobs, archive, report)
    for (const table of manifest.tables) {
      const rows = await countRows(tx, table)
      if (rows !== table.rows)
        throw damaged(path, `${table.name} has ${rows} rows, and its manifest says ${table.rows}`)
    }
    if (authSecret !== undefined)
      await replaceAuthSecret(queryWithin(tx), parseSecrets(authSecret).current)
    await setSequences(tx, manifest.sequences)
    await analyze(tx, manifest.tables)
    return await majorOf(tx)
  })

const loadEntries = async (
  tx: Transaction,
  blobs: Blobs,
  archive: Archive,
  report: (text: string) => void,
): Promise<void> => {
  const { path, manifest } = archive
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  let blobCount = 0
  let current: TableWriter | undefined
  const load = async () => {
    for await (const { name, content, bytes } of readArchive(archive)) {
      if (name.startsWith(ENTRIES.blobs)) {
        await blobs.put(name.slice(ENTRIES.blobs.length), await bytes())
        report(`${++blobCount} of ${manifest.blobs} files`)
      }
      if (!name.startsWith(ENTRIES.tables)) continue
      const table = tables.get(name.slice(ENTRIES.tables.length, name.lastIndexOf('/')))
      if (!table) throw damaged(path, `its manifest does not have the table of ${name}`)
      if (current?.table !== table) {
        await current?.end()
        report(`table ${manifest.tables.indexOf(table) + 1} of ${tables.size}: ${table.name}`)
        current = await openTable(tx, table)
      }
      for await (const rows of content) await current.write(rows)
    }
    await current?.end()
  }
  await load().catch((error: Error) => {
    current?.fail(error)
    throw isRejection(error)
      ? damaged(path, `its rows do not load: ${error.message}`, error)
      : error
  })
}

/** Whether PostgreSQL has refused values, keys or columns (SQLSTATE classes 22, 23 and 42). */
const isRejection = (error: Error & { code?: unknown }): boolean =>
  typeof error.code === 'string' && ['22', '23', '42'].includes(error.code.slice(0, 2))

type TableWriter = Awaited<ReturnType<typeof openTable>>

const openTable = async (tx: Transaction, table: Table) => {
  const rows = await copyIn(tx, table)
  const ended = finished(rows)
  ended.catch(() => {})
  return {
    table,
    write(bytes: Uint8Array): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      rows.write(bytes, () => resolve())
      return Promise.race([promise, ended])
    },
    async end(): Promise<void> {
      rows.end()
      await ended
    },

    /** Ends the statement without its rows, so that the transaction can be rolled back. */
    fail(error: Error): void {
      rows.destroy(error)
    },
  }
}

/**
 * Compares a manifest with the new tables of its schema. Its names become parts of statements, so only
 * those of the schema are accepted.
 * @throws OperatorError when it has other names, lacks one, or needs a newer version.
 */
const checkManifest = async (
  tx: Transaction,
  path: string,
  manifest: BackupManifest,
): Promise<void> => {
  const jobs = await jobSchemaVersion(tx)
  if (jobs < manifest.jobs) throw newer(path, manifest)
  const tables = await describeTables(tx, tablesAfter(manifest.migrations.length))
  const sequences = await readSequences(tx, tables)
  // An earlier version of the job queue has other tables and columns.
  const isRequired = (name: string) => jobs === manifest.jobs || !name.startsWith(`${JOB_SCHEMA}.`)
  const compare = (what: string, listed: string[], known: string[]) => {
    const unknown = listed.find((name) => !known.includes(name))
    if (unknown !== undefined)
      throw new OperatorError(`${path} has the ${what} ${unknown}, which this svc does not know`)
    if (new Set(listed).size < listed.length)
      throw damaged(path, `its manifest has a ${what} twice`)
    const missing = known.find((name) => isRequired(name) && !listed.includes(name))
    if (missing !== undefined) throw damaged(path, `its manifest lacks the ${what} ${missing}`)
  }
  const namesOf = (all: { name: string }[]) => all.map(({ name }) => name)
  const columnsOf = (all: { name: string; columns: string[] }[]) =>
    all.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
  const numberedIn = (all: { table: string; column: string }[]) =>
    all.map(({ table, column }) => `${table}.${column}`)
  compare('table', namesOf(manifest.tables), namesOf(tables))
  compare('column', columnsOf(manifest.tables), columnsOf(tables))
  compare('sequence', numberedIn(manifest.sequences), numberedIn(sequences))
}

const newer = (path: string, { svc }: BackupManifest): OperatorError =>
  new OperatorError(`${path} was made by a newer svc (${svc}); restore it with that version`)
