import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Transaction } from './session.ts'

export interface Table {
  /** With its schema. */
  name: string
  columns: string[]
}

/** The rows of a table, in any order. */
export interface Digest {
  rows: number
  /** The sum of the hashes of the rows. */
  checksum: string
}

/** The last value of a column that numbers its rows. */
export interface Sequence {
  table: string
  column: string
  value: string
  isCalled: boolean
}

/** The tables with these names that exist. */
export const describeTables = async (tx: Transaction, names: string[]): Promise<Table[]> => {
  const tables: Table[] = []
  for (const name of names) {
    const columns = await tx.unsafe(
      `select attname as name from pg_attribute where attrelid = to_regclass($1)
      and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      [name],
    )
    if (columns.length) tables.push({ name, columns: columns.map((column) => column.name) })
  }
  return tables
}

const listOf = ({ columns }: Table) => columns.map((name) => `"${name}"`).join(', ')

/** The rows in PostgreSQL's text format, one in each line. */
export async function* copyOut(tx: Transaction, table: Table): AsyncGenerator<Buffer> {
  const rows = await tx
    .unsafe(`copy (select ${listOf(table)} from ${table.name}) to stdout`)
    .readable()
  try {
    yield* rows.iterator({ destroyOnReturn: false })
  } finally {
    // The connection is usable after the last row, also when the caller stops before it.
    rows.resume()
    await finished(rows, { writable: false }).catch(() => {})
    // The driver pauses its socket when rows arrive faster than they are read, and at the end leaves it paused.
    rows._read(0)
  }
}

/** Writes rows in PostgreSQL's text format. The stream fails if PostgreSQL refuses them. */
export const copyIn = async (tx: Transaction, table: Table): Promise<Writable> => {
  const statement = tx.unsafe(`copy ${table.name} (${listOf(table)}) from stdin`)
  const rows = await statement.writable()
  // After the end of the rows, the driver rejects only the statement, which has resolved with the stream.
  Object.assign(statement, { reject: (error: Error) => rows.destroy(error) })
  return rows
}

export const digestOf = async (tx: Transaction, table: Table): Promise<Digest> => {
  const [row] = await tx.unsafe(
    `select count(*)::text as rows,
      coalesce(sum(hashtextextended(row(${listOf(table)})::text, 0)::numeric), 0)::text as checksum
    from ${table.name}`,
  )
  return { rows: Number(row?.rows), checksum: row?.checksum }
}

export const countRows = async (tx: Transaction, { name }: Table): Promise<number> => {
  const [row] = await tx.unsafe(`select count(*)::text as rows from ${name}`)
  return Number(row?.rows)
}

/** Deletes the rows of a table, and of the tables that reference it. */
export const truncate = async (tx: Transaction, { name }: Table): Promise<void> => {
  await tx.unsafe(`truncate ${name} cascade`)
}

/** Reads the sequences after the rows: a sequence is at least as high as the rows of the snapshot. */
export const readSequences = async (tx: Transaction, tables: Table[]): Promise<Sequence[]> => {
  const sequences: Sequence[] = []
  for (const { name: table, columns } of tables)
    for (const column of columns) {
      const [found] = await tx.unsafe('select pg_get_serial_sequence($1, $2) as name', [
        table,
        column,
      ])
      if (!found?.name) continue
      const [row] = await tx.unsafe(
        `select last_value::text as value, is_called from ${found.name}`,
      )
      sequences.push({ table, column, value: row?.value, isCalled: row?.is_called })
    }
  return sequences
}

export const setSequences = async (tx: Transaction, sequences: Sequence[]): Promise<void> => {
  for (const { table, column, value, isCalled } of sequences)
    await tx.unsafe('select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4)', [
      table,
      column,
      value,
      isCalled,
    ])
}

/** Gives the planner the statistics of new rows. */
export const analyze = async (tx: Transaction, tables: Table[]): Promise<void> => {
  await tx.unsafe(`analyze ${tables.map(({ name }) => name).join(', ')}`)
}

export const serverVersion = async (tx: Transaction): Promise<string> => {
  const [row] = await tx.unsafe('show server_version')
  return row?.server_version
}

export const majorOf = async (tx: Transaction): Promise<number> =>
  Number.parseInt(await serverVersion(tx), 10)
