import { finished } from 'node:stream/promises'
import type { Blobs } from '../../platform/blobs.ts'
import { jobSchemaVersion } from '../../platform/db/job-tables.ts'
import { knownMigrations } from '../../platform/db/migrations.ts'
import { createSchema, dropSchema, tablesAfter } from '../../platform/db/transfer/schema.ts'
import type { Session, Transaction } from '../../platform/db/transfer/session.ts'
import {
  analyze,
  copyIn,
  countRows,
  describeTables,
  setSequences,
  type Table,
} from '../../platform/db/transfer/tables.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { readArchive, verifyArchive } from './archive-reader.ts'
import { ENTRIES, type Manifest } from './manifest.ts'

/** A verified archive. */
export interface Archive {
  path: string
  manifest: Manifest
  /** The secret that signs tokens and encrypts stored secrets. */
  authSecret: string
}

/**
 * Reads the whole archive before anything is changed.
 * @throws OperatorError when it is damaged, or of a newer version.
 */
export const openArchive = async (path: string): Promise<Archive> => {
  const manifest = await verifyArchive(path)
  const known = knownMigrations()
  if (manifest.migrations.some((migration, index) => migration !== known[index]))
    throw newer(path, manifest)
  for await (const { name, bytes } of readArchive(path))
    if (name === ENTRIES.secret) return { path, manifest, authSecret: bytes.toString() }
  throw new OperatorError(`${path} has no secret`)
}

/**
 * Restores the tables in one transaction, and the blobs.
 * @throws OperatorError when the archive needs a newer version.
 */
export const restore = (
  session: Session,
  blobs: Blobs,
  { path, manifest }: Archive,
  { overwrites, report }: { overwrites: boolean; report(text: string): void },
): Promise<void> =>
  session.write(async (tx) => {
    if (overwrites) await dropSchema(tx)
    await createSchema(tx, manifest.migrations.length)
    if ((await jobSchemaVersion(tx)) < manifest.jobs) throw newer(path, manifest)
    await checkTables(tx, path, manifest)
    await loadEntries(tx, blobs, { path, manifest, report })
    for (const table of manifest.tables) {
      const rows = await countRows(tx, table)
      if (rows !== table.rows)
        throw new Error(`${table.name} has ${rows} rows, and the archive ${table.rows}`)
    }
    await setSequences(tx, manifest.sequences)
    await analyze(tx, manifest.tables)
  })

/** The names in an archive become parts of statements, so only those of the schema are accepted. */
const checkTables = async (tx: Transaction, path: string, manifest: Manifest): Promise<void> => {
  const described = await describeTables(tx, tablesAfter(manifest.migrations.length))
  const known = new Map(described.map(({ name, columns }) => [name, new Set(columns)]))
  for (const { name, columns } of manifest.tables) {
    const expected = known.get(name)
    if (!expected || !columns.every((column) => expected.has(column)))
      throw new OperatorError(`${path} has columns of ${name} that this svc does not know`)
  }
}

const loadEntries = async (
  tx: Transaction,
  blobs: Blobs,
  { path, manifest, report }: { path: string; manifest: Manifest; report(text: string): void },
): Promise<void> => {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  let blobCount = 0
  let current: TableWriter | undefined
  const load = async () => {
    for await (const { name, bytes } of readArchive(path)) {
      if (name.startsWith(ENTRIES.blobs)) {
        await blobs.put(name.slice(ENTRIES.blobs.length), bytes)
        report(`${++blobCount} of ${manifest.blobs} files`)
      }
      if (!name.startsWith(ENTRIES.tables)) continue
      const table = tables.get(name.slice(ENTRIES.tables.length, name.lastIndexOf('/')))
      if (!table) throw new OperatorError(`${path} has rows of an unknown table`)
      if (current?.table !== table) {
        await current?.end()
        report(`table ${manifest.tables.indexOf(table) + 1} of ${tables.size}: ${table.name}`)
        current = await openTable(tx, table)
      }
      await current.write(bytes)
    }
    await current?.end()
  }
  await load().catch((error: Error) => {
    current?.fail(error)
    throw error
  })
}

interface TableWriter {
  table: Table
  write(rows: Buffer): Promise<void>
  end(): Promise<void>
  /** Ends the statement without its rows, so that the transaction can be rolled back. */
  fail(error: Error): void
}

const openTable = async (tx: Transaction, table: Table): Promise<TableWriter> => {
  const rows = await copyIn(tx, table)
  const ended = finished(rows)
  ended.catch(() => {})
  return {
    table,
    write(bytes) {
      const { promise, resolve } = Promise.withResolvers<void>()
      rows.write(bytes, () => resolve())
      return Promise.race([promise, ended])
    },
    async end() {
      rows.end()
      await ended
    },
    fail: (error) => rows.destroy(error),
  }
}

const newer = (path: string, { svc }: Manifest): OperatorError =>
  new OperatorError(`${path} was made by a newer svc (${svc}); restore it with that version`)
