import type { Query } from '../../platform/db/database.ts'

/** Everything that has rows of its own. */
export const listOwners = async (query: Query): Promise<{ ownerId: string; exists: boolean }[]> => {
  const rows = await query<{ owner_id: string; exists: boolean }>(
    `select owner_id, exists (select from users where id = owner_id)
      or exists (select from orgs where id = owner_id) as exists
    from (
      select owner_id from memories union select owner_id from memory_stats
      union select owner_id from memory_postings union select owner_id from memory_past_postings
      union select owner_id from memory_vectors union select owner_id from memory_history
    ) o order by owner_id`,
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
