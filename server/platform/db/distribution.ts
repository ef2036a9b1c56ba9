import type postgres from 'postgres'
import { StartError } from '../operator-error.ts'

/** Distributed by this column: all rows of an owner are on one node. */
export const DISTRIBUTION_COLUMN = 'owner_id'

/** The table that the others are placed like. It is first, because others reference it. */
export const FIRST_DISTRIBUTED = 'memories'

/** Every table of memories has an owner. */
const IS_DISTRIBUTED_NAME = /^(?:memories|memory_\w+)$/

/** Small tables that statements join with those of memories: every node has a copy. */
const REFERENCE_TABLES = ['engine_states']

/** How Citus distributes a table; `local`: only the coordinator has it. */
export type Distribution = 'distributed' | 'reference' | 'local'

export const distributionOf = (table: string): Distribution => {
  if (REFERENCE_TABLES.includes(table)) return 'reference'
  return IS_DISTRIBUTED_NAME.test(table) ? 'distributed' : 'local'
}

export interface PlacedTable {
  name: string
  expected: Exclude<Distribution, 'local'>
  isDone: boolean
}

type Client = Pick<postgres.Sql, 'unsafe'>

export const hasCitus = async (client: Client): Promise<boolean> => {
  const [extension] = await client.unsafe(`select from pg_extension where extname = 'citus'`)
  return extension !== undefined
}

/**
 * The tables of `public` that are distributed or copied to every node, those to copy first: Citus then
 * plans their joins. Needs the extension.
 */
export const placedTables = async (client: Client): Promise<PlacedTable[]> => {
  const rows = await client.unsafe(
    `select c.relname as name, p.logicalrelid is not null as is_done
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname <> '${FIRST_DISTRIBUTED}', c.relname`,
  )
  const placed = rows.flatMap(({ name, is_done }) => {
    const expected = distributionOf(name)
    return expected === 'local' ? [] : [{ name: String(name), expected, isDone: is_done === true }]
  })
  const copied = placed.filter(({ expected }) => expected === 'reference')
  return [...copied, ...placed.filter(({ expected }) => expected === 'distributed')]
}

/**
 * Whether Citus distributes the memories.
 * @throws StartError when it distributes some of their tables only: statements that join them fail.
 */
export const isDistributed = async (client: Client): Promise<boolean> => {
  if (!(await hasCitus(client))) return false
  const tables = await placedTables(client)
  if (tables.every(({ isDone }) => !isDone)) return false
  if (tables.some(({ isDone }) => !isDone))
    throw new StartError(
      'Citus distributes some tables of the memories, but not all. Run: svc admin distribute',
    )
  return true
}
