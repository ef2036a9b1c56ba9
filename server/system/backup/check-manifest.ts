import { JOB_SCHEMA, jobSchemaVersion, tablesAfter } from '../../platform/db/transfer/schema.ts'
import type { Transaction } from '../../platform/db/transfer/session.ts'
import { describeTables, readSequences } from '../../platform/db/transfer/tables.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { damaged } from './archive-reader.ts'
import type { Manifest } from './manifest.ts'

/**
 * Compares a manifest with the new tables of its schema. Its names become parts of statements, so only
 * those of the schema are accepted.
 * @throws OperatorError when it has other names, lacks one, or needs a newer version.
 */
export const checkManifest = async (
  tx: Transaction,
  path: string,
  manifest: Manifest,
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

export const newer = (path: string, { svc }: Manifest): OperatorError =>
  new OperatorError(`${path} was made by a newer svc (${svc}); restore it with that version`)
