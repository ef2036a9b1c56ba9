import type { Query } from '../../platform/db/database.ts'
import { lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'
import { ANALYZER_VERSION } from '../text/analyzer.ts'

const OWNED_TABLES = [
  'memories',
  'memory_stats',
  'memory_changes',
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

interface DependentTable {
  table: string
  /** The clauses that select its rows without a memory. */
  orphans: string
}

/** Tables with rows that belong to a memory. */
export const dependentTables: readonly DependentTable[] = [
  { table: 'memory_vectors', orphans: LOST_VECTORS },
  { table: 'memory_history', orphans: LOST_HISTORY },
]

/** The number of rows whose memory is deleted or does not exist. */
export const countOrphans = async (
  query: Query,
  ownerId: string,
  { orphans }: DependentTable,
): Promise<number> => {
  const [row] = await query<{ count: number }>(`select count(*)::int ${orphans}`, [ownerId])
  return row?.count ?? 0
}

export const deleteOrphans = async (
  query: Query,
  ownerId: string,
  { orphans }: DependentTable,
): Promise<void> => {
  await query(`delete ${orphans}`, [ownerId])
}

/** A memory with what its terms are made of. */
export interface CheckedMemory {
  seq: string
  content_text: string
  language: string
  terms: string | null
}

/** The next memories after one, deleted or not, that this version has analyzed. */
export const listAnalyzed = (
  query: Query,
  ownerId: string,
  after: string,
  limit: number,
): Promise<CheckedMemory[]> =>
  query<CheckedMemory>(
    `select seq::text as seq, content_text, language, terms from memories
    where owner_id = $1 and seq > $2::bigint and terms_version = ${ANALYZER_VERSION}
    order by seq limit $3`,
    [ownerId, after, limit],
  )

/** Writes the terms of memories that still have this content, within a transaction; `rewriteStats` has to follow. */
export const rewriteTerms = async (
  query: Query,
  ownerId: string,
  corrected: CheckedMemory[],
): Promise<void> => {
  const values = [ownerId, JSON.stringify(corrected)]
  await query(
    `with ${lockOwner('$1')}
    select from memories where owner_id = $1 and ${OWNER_EXISTS}
      and seq = any(array(select (value->>'seq')::bigint from jsonb_array_elements($2::jsonb)))
    order by memory_id for update`,
    values,
  )
  await query(
    `update memories m set terms = c.terms
    from jsonb_to_recordset($2::jsonb) as c(seq bigint, content_text text, terms text)
    where m.owner_id = $1 and m.seq = c.seq and m.content_text = c.content_text`,
    values,
  )
}

const COUNTED = `
counted as (
  select
    (select count(*) from memories where owner_id = $1 and deleted_at is null and superseded_by is null)
      as memory_count
)`

/** Whether the statistics of an owner differ from the memories. */
export const hasWrongStats = async (query: Query, ownerId: string): Promise<boolean> => {
  const rows = await query(
    `with ${COUNTED}
    select from counted c left join memory_stats s on s.owner_id = $1
    where coalesce(s.memory_count, 0) <> c.memory_count`,
    [ownerId],
  )
  return rows.length > 0
}

/** Counts again, within a transaction. Writers of the owner wait, as they lock the same row. */
export const rewriteStats = async (query: Query, ownerId: string): Promise<void> => {
  await query(
    `insert into memory_stats (owner_id, memory_count, languages)
    values ($1, 0, '{}') on conflict (owner_id) do nothing`,
    [ownerId],
  )
  await query('select from memory_stats where owner_id = $1 for update', [ownerId])
  await query(
    `with ${COUNTED}
    update memory_stats s set memory_count = c.memory_count,
      -- A change that is not kept: each server reads the owner's memories again.
      change_count = s.change_count + 1
    from counted c where owner_id = $1`,
    [ownerId],
  )
  await query('delete from memory_changes where owner_id = $1', [ownerId])
}
