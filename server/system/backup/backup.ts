import packageJson from '../../../package.json'
import type { BlobReferences, Blobs } from '../../platform/blobs.ts'
import { queryOn } from '../../platform/db/connections.ts'
import { checkSchema } from '../../platform/db/migrations.ts'
import { jobSchemaVersion, tablesAfter } from '../../platform/db/transfer/schema.ts'
import {
  type DatabaseSession,
  queryWithin,
  type Transaction,
} from '../../platform/db/transfer/session.ts'
import {
  copyOut,
  describeTables,
  readSequences,
  serverVersion,
  type Table,
} from '../../platform/db/transfer/tables.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { hasOtherSecret, parseSecrets } from '../../platform/secrets/auth-secret.ts'
import { type ArchiveWriter, createArchive } from './archive-writer.ts'
import { type BackupManifest, ENTRIES, FORMAT } from './manifest.ts'

export interface BackupOptions {
  session: DatabaseSession
  blobs: Blobs
  blobReferences: readonly BlobReferences[]
  /** Undefined: the archive gets no secret. */
  authSecret: string | undefined
  /** Undefined: the archive is not encrypted. */
  passphrase: string | undefined
  path: string
  overwrites: boolean
  /** Stops it, and deletes what it has written. */
  signal: AbortSignal
  /** Reports progress. */
  report(text: string): void
}

export interface BackupResult {
  manifest: BackupManifest
  /** Blobs that the database refers to and that do not exist. */
  missing: string[]
}

/**
 * Writes the database, the blobs and the secret to an archive, while a server may write.
 * @throws OperatorError when there is no database of svc, or the archive cannot be written.
 */
export const backUp = async (options: BackupOptions): Promise<BackupResult> => {
  const { authSecret, session, path } = options
  const migrations = await checkSchema(session.sql)
  if (migrations.length === 0) throw new OperatorError('The database has no tables of svc.')
  const current = authSecret && parseSecrets(authSecret).current
  if (current && (await hasOtherSecret(queryOn(session.sql), current)))
    throw new OperatorError(
      'The configured secret is not that of the database; set SVC_AUTH_SECRET or SVC_DATA_DIR as for the server',
    )
  await using archive = await createArchive(path, options)
  const header = { format: FORMAT, svc: packageJson.version }
  await archive.add(ENTRIES.header, JSON.stringify(header))
  const hasSecret = authSecret !== undefined
  if (hasSecret) await archive.add(ENTRIES.secret, authSecret)
  const result = await backUpState(options, archive, { ...header, hasSecret, migrations })
  await archive.add(ENTRIES.manifest, JSON.stringify(result.manifest, null, 2))
  await archive.finish()
  return result
}

/**
 * Blobs are deleted after the rows that refer to them. So the blobs of a state of the database are added
 * first; if one was deleted meanwhile, they are compared with a newer state.
 */
const backUpState = async (
  options: BackupOptions,
  archive: ArchiveWriter,
  header: Pick<BackupManifest, 'format' | 'svc' | 'hasSecret' | 'migrations'>,
): Promise<BackupResult> => {
  const added = new Set<string>()
  let missing: string[] = []
  for (;;) {
    const manifest = await options.session.read(async (tx): Promise<BackupManifest | undefined> => {
      const takenAt = new Date().toISOString()
      const before = new Set(missing)
      missing = await addBlobs(tx, archive, added, options)
      if (missing.some((name) => !before.has(name))) return undefined
      const tables = await addTables(tx, archive, header.migrations.length, options.report)
      return {
        ...header,
        takenAt,
        postgres: await serverVersion(tx),
        jobs: await jobSchemaVersion(tx),
        tables,
        sequences: await readSequences(tx, tables),
        blobs: added.size,
      }
    })
    if (manifest) return { manifest, missing }
  }
}

/** @returns the names of blobs that do not exist. */
const addBlobs = async (
  tx: Transaction,
  archive: ArchiveWriter,
  added: Set<string>,
  { blobs, blobReferences, report }: BackupOptions,
): Promise<string[]> => {
  const query = queryWithin(tx)
  const referenced = (await Promise.all(blobReferences.map(({ list }) => list(query)))).flat()
  const missing: string[] = []
  for (const name of referenced) {
    if (added.has(name)) continue
    const bytes = await blobs.get(name)
    if (bytes) {
      await archive.add(`${ENTRIES.blobs}${name}`, bytes)
      added.add(name)
      report(`${added.size} of ${referenced.length} files`)
    } else missing.push(name)
  }
  return missing
}

const PART_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

/** Adds the rows of all tables of the schema after the first `migrations`. */
const addTables = async (
  tx: Transaction,
  archive: ArchiveWriter,
  migrations: number,
  report: (text: string) => void,
): Promise<BackupManifest['tables']> => {
  const tables: BackupManifest['tables'] = []
  const described = await describeTables(tx, tablesAfter(migrations))
  for (const [index, table] of described.entries()) {
    report(`table ${index + 1} of ${described.length}: ${table.name}`)
    tables.push({ ...table, rows: await addTable(tx, archive, table) })
  }
  return tables
}

/** Adds the rows in parts, because an entry of a tar archive begins with its size. */
const addTable = async (tx: Transaction, archive: ArchiveWriter, table: Table): Promise<number> => {
  let rows = 0
  let part = 0
  let chunks: Buffer[] = []
  let bytes = 0
  const flush = async () => {
    if (bytes === 0) return
    part++
    await archive.add(`${ENTRIES.tables}${table.name}/${part}`, Buffer.concat(chunks))
    chunks = []
    bytes = 0
  }
  for await (const chunk of copyOut(tx, table)) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    rows += countLines(chunk)
    if (bytes >= PART_BYTES) await flush()
  }
  await flush()
  return rows
}

/** In PostgreSQL's text format a line break within a value is escaped. */
const countLines = (chunk: Buffer): number => {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++
  return count
}
