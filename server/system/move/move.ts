import { pipeline } from 'node:stream/promises'
import { isEmpty } from '../../platform/db/embedded/directory.ts'
import { lockDirectory } from '../../platform/db/embedded/lock.ts'
import { databaseDirectory } from '../../platform/db/embedded/open.ts'
import { type Replacement, settleReplacement } from '../../platform/db/embedded/replacement.ts'
import { appliedMigrations, checkSchema } from '../../platform/db/migrations.ts'
import {
  type DatabaseLocation,
  openExclusive,
  replaceEmbedded,
} from '../../platform/db/transfer/databases.ts'
import {
  clearMarker,
  createSchema,
  isBlank,
  isMarked,
  setMarker,
  tablesAfter,
} from '../../platform/db/transfer/schema.ts'
import type { DatabaseSession, Transaction } from '../../platform/db/transfer/session.ts'
import {
  analyze,
  copyIn,
  copyOut,
  type Digest,
  describeTables,
  digestOf,
  majorOf,
  readSequences,
  setSequences,
  type Table,
  truncate,
} from '../../platform/db/transfer/tables.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/**
 * Copies the database to another server, or into the embedded database. The source is only read.
 * @throws StartError or OperatorError when a server runs on one of them, or the target is not empty.
 */
export const move = async (
  from: DatabaseLocation,
  to: DatabaseLocation,
  { overwrites, report }: { overwrites: boolean; report(text: string): void },
): Promise<CopyResult> => {
  if (from.databaseUrl === to.databaseUrl)
    throw new OperatorError('The source and the target are the same database.')
  await using source = await openExclusive(from)
  if (to.databaseUrl) {
    await using target = await openExclusive(to)
    return await copyDatabase(source, target, report)
  }
  return await moveIntoEmbedded(source, to.dataDir, { overwrites, report })
}

const moveIntoEmbedded = async (
  source: DatabaseSession,
  dataDir: string,
  { overwrites, report }: { overwrites: boolean; report(text: string): void },
): Promise<CopyResult> => {
  using opened = new DisposableStack()
  const lock = lockDirectory(dataDir)
  opened.defer(() => lock.release())
  await settleReplacement(dataDir)
  if (!overwrites && !isEmpty(databaseDirectory(dataDir)))
    throw new OperatorError(
      `SVC_DATA_DIR: ${dataDir} has a database; use --force to replace it and keep it as postgres.replaced`,
    )
  const replacement: Replacement = { names: ['postgres'], kept: 'replaced', draft: 'incoming' }
  return await replaceEmbedded(dataDir, replacement, (target) =>
    copyDatabase(source, target, report),
  )
}

export interface CopyResult {
  tables: number
  rows: number
  /** Tables that an interrupted copy had finished. */
  resumed: number
  /** The major versions of PostgreSQL. */
  from: number
  to: number
}

/**
 * Copies all tables to an empty database, or continues an interrupted copy. Each table is verified by the
 * number and the hashes of its rows, so a table that is already there is not copied again.
 * @throws OperatorError when the target has other tables of svc.
 */
export const copyDatabase = async (
  source: DatabaseSession,
  target: DatabaseSession,
  report: (text: string) => void,
): Promise<CopyResult> => {
  const migrations = await checkSchema(source.sql)
  if (migrations.length === 0) throw new OperatorError('The source has no tables of svc.')
  await prepare(target, migrations)
  return source.read(async (from) => {
    const tables = await describeTables(from, tablesAfter(migrations.length))
    const versions = { from: await majorOf(from), to: await target.read(majorOf) }
    const result = { tables: tables.length, rows: 0, resumed: 0, ...versions }
    for (const [index, table] of tables.entries()) {
      report(`table ${index + 1} of ${tables.length}: ${table.name}`)
      const expected = await digestOf(from, table)
      const isNew = await target.write((to) => copyTable(from, to, table, expected))
      result.rows += expected.rows
      if (!isNew && expected.rows > 0) result.resumed++
    }
    const sequences = await readSequences(from, tables)
    await target.write(async (to) => {
      await setSequences(to, sequences)
      await analyze(to, tables)
      await clearMarker(to)
    })
    return result
  })
}

/** Creates the tables of the source, which a server does not start with until the copy is complete. */
const prepare = async (target: DatabaseSession, migrations: number[]): Promise<void> => {
  if (await isBlank(target)) {
    await target.write(async (tx) => {
      await createSchema(tx, migrations.length)
      await setMarker(tx)
    })
    return
  }
  if (!(await isMarked(target)))
    throw new OperatorError('The target already has tables of svc; use an empty database.')
  if ((await appliedMigrations(target.sql)).length !== migrations.length)
    throw new OperatorError(
      'The source has another schema than when the move began; empty the target and begin again.',
    )
}

/** @returns whether the table was copied now. */
const copyTable = async (
  from: Transaction,
  to: Transaction,
  table: Table,
  expected: Digest,
): Promise<boolean> => {
  if (areEqual(await digestOf(to, table), expected)) return false
  await truncate(to, table)
  await pipeline(copyOut(from, table), await copyIn(to, table))
  if (!areEqual(await digestOf(to, table), expected))
    throw new Error(`the copy of ${table.name} differs from its source`)
  return true
}

const areEqual = (one: Digest, other: Digest): boolean =>
  one.rows === other.rows && one.checksum === other.checksum
