import { tablesAfter } from '../../platform/db/transfer/schema.ts'
import type { Transaction } from '../../platform/db/transfer/session.ts'
import { copyOut, describeTables, type Table } from '../../platform/db/transfer/tables.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { ENTRIES, type Manifest } from './manifest.ts'

const PART_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

/** Adds the rows of all tables of the schema after the first `migrations`. */
export const addTables = async (
  tx: Transaction,
  archive: ArchiveWriter,
  migrations: number,
  report: (text: string) => void,
): Promise<Manifest['tables']> => {
  const tables: Manifest['tables'] = []
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
