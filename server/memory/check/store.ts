import type { Query } from '../../platform/db/database.ts'

const OWNED_TABLES = [
  'memories',
  'memory_stats',
  'memory_postings',
  'memory_past_postings',
  'memory_vectors',
  'memory_history',
]

/** Everything that has rows of its own. */
export const listOwners = async (query: Query): Promise<{ ownerId: string; exists: boolean }[]> => {
  const rows = await query<{ owner_id: string; exists: boolean }>(
    `with existing as materialized (select id from users union all select id from orgs),
    owners as materialized (
      ${OWNED_TABLES.map((table) => `select distinct owner_id from ${table}`).join(' union ')}
    )
    select owner_id, owner_id in (select id from existing) as exists from owners order by owner_id`,
    [],
  )
  return rows.map((row) => ({ ownerId: row.owner_id, exists: row.exists }))
}

const LOST_VECTORS = `
from memory_vectors v
where v.owner_id = $1 and not exists (
  select from memories m where m.owner_id = v.owner_id and m.seq = v.seq and m.deleted_at is null
)`

const LOST_HISTORY = `
from memory_history h
where h.owner_id = $1 and not exists (
  select from memories m where m.owner_id = h.owner_id and m.memory_id = h.memory_id
)`

const ORPHANS = { memory_vectors: LOST_VECTORS, memory_history: LOST_HISTORY }

/** Tables with rows that belong to a memory. */
export type DependentTable = keyof typeof ORPHANS

export const dependentTables = Object.keys(ORPHANS) as DependentTable[]

/** The number of rows whose memory is deleted or does not exist. */
export const countOrphans = async (
  query: Query,
  ownerId: string,
  table: DependentTable,
): Promise<number> => {
  const [row] = await query<{ count: number }>(`select count(*)::int ${ORPHANS[table]}`, [ownerId])
  return row?.count ?? 0
}

export const deleteOrphans = async (
  query: Query,
  ownerId: string,
  table: DependentTable,
): Promise<void> => {
  await query(`delete ${ORPHANS[table]}`, [ownerId])
}
