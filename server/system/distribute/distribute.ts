import { hasCitus, type PlacedTable, placedTables } from '../../platform/db/distribution.ts'
import { checkSchema, knownMigrations } from '../../platform/db/migrations.ts'
import type { DatabaseSession, Transaction } from '../../platform/db/transfer/session.ts'
import { analyze, countRows } from '../../platform/db/transfer/tables.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { deleteLocalRows, disableJit, isCitusAvailable, place, readNodes } from './store.ts'

export interface DistributeResult {
  /** Nodes that take rows of memories. */
  workers: number
  /** Tables that were distributed now. */
  tables: number
  /** Tables that an earlier run distributed. */
  resumed: number
  /** The rows of the tables that were distributed now. */
  rows: number
}

/**
 * Distributes the tables of memories over the nodes of a Citus cluster, one transaction for each table.
 * After an interruption, another run continues with the first table that is not distributed.
 * @throws OperatorError when the database is not on the coordinator of a cluster with workers, or has
 * another schema.
 */
export const distribute = async (
  session: DatabaseSession,
  report: (text: string) => void,
): Promise<DistributeResult> => {
  await checkCluster(session)
  const migrations = await checkSchema(session.sql)
  if (migrations.length !== knownMigrations().length)
    throw new OperatorError(
      'The database has no tables of this svc, or those of an older one; start svc once first',
    )
  return distributeTables(session, report)
}

/** Distributes the tables that are not distributed yet, without the checks of `distribute`. */
export const distributeTables = async (
  session: DatabaseSession,
  report: (text: string) => void,
): Promise<DistributeResult> => {
  const { workers } = await readNodes(session)
  await disableJit(session)
  const tables = await placedTables(session.sql)
  const open = tables.filter(({ isDone }) => !isDone)
  const counts = new Map<PlacedTable, number>()
  for (const [index, table] of open.entries()) {
    report(`table ${index + 1} of ${open.length}: ${table.name}`)
    counts.set(table, await distributeTable(session, table))
  }
  // After all, because a local table may reference another, and again after an interruption at this place.
  for (const table of tables) await session.write((tx) => deleteLocalRows(tx, table))
  for (const [table, rows] of counts) await session.read((tx) => expectRows(tx, table, rows))
  if (open.length) await session.write((tx) => analyze(tx, tables.map(withSchema)))
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { workers, tables: open.length, resumed: tables.length - open.length, rows }
}

/** @returns the number of rows. */
const distributeTable = (session: DatabaseSession, table: PlacedTable): Promise<number> =>
  session.write(async (tx) => {
    const rows = await countRows(tx, withSchema(table))
    await place(tx, table)
    await expectRows(tx, table, rows)
    return rows
  })

const expectRows = async (tx: Transaction, table: PlacedTable, expected: number): Promise<void> => {
  const rows = await countRows(tx, withSchema(table))
  if (rows !== expected)
    throw new Error(`${table.name} has ${rows} rows on the nodes, and had ${expected}`)
}

const withSchema = ({ name }: PlacedTable) => ({ name: `public.${name}`, columns: [] })

const checkCluster = async (session: DatabaseSession): Promise<void> => {
  if (!(await hasCitus(session.sql)))
    throw new OperatorError(
      (await isCitusAvailable(session))
        ? 'The database has no extension citus. On it and on the same database of each worker, run: create extension citus'
        : 'The PostgreSQL server does not have Citus; install it there and on the workers',
    )
  const { isCoordinator, hasCoordinator, workers } = await readNodes(session)
  if (!isCoordinator)
    throw new OperatorError(
      'SVC_DATABASE_URL is a worker of the cluster; set it to the coordinator',
    )
  if (!hasCoordinator)
    throw new OperatorError(
      "The workers do not know the coordinator. On the database, run: select citus_set_coordinator_host('<its host>')",
    )
  if (workers === 0)
    throw new OperatorError(
      "The cluster has no worker. On the database, run for each: select citus_add_node('<its host>', 5432)",
    )
}
