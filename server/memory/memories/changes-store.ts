import { KNOWN_CHANGES } from '../../../shared/contract/memory-lists.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { type MemoryWithThread, memoryFromRow } from './store.ts'

/**
 * A cursor is the number of changes of the owner, and the `seq` of the memory that the last one was of. If that change
 * was of another memory, the list is of another history: the database was restored from a backup.
 */
const CHANGES = `
with stats as materialized (
  select s.change_count, s.change_count - :count::bigint as passed,
    (select seq from memory_changes where owner_id = :ownerId and change_no = s.change_count) as last_seq
  from memory_stats s where owner_id = :ownerId
),
since as materialized (
  select seq from memory_changes
  where owner_id = :ownerId and change_no > :count::bigint and change_no <= :count::bigint + ${KNOWN_CHANGES}
),
known as materialized (
  select s.*, s.passed between 0 and ${KNOWN_CHANGES} and (select count(*) from since) >= s.passed
    and (select seq from memory_changes where owner_id = :ownerId and change_no = :count::bigint)
      is not distinct from :seq::bigint as is_known
  from stats s
),
changed as materialized (select distinct c.seq from known k cross join since c where k.is_known),
found as materialized (
  select m.*, t.thread from changed c
  cross join lateral (select * from memories where owner_id = :ownerId and seq = c.seq limit 1) m
  left join memory_threads t on t.owner_id = :ownerId and t.thread_no = m.thread_no
)
select k.change_count, k.last_seq, k.is_known, c.seq as changed_seq, f.*
from known k left join changed c on true left join found f on f.seq = c.seq`

export interface ListedChanges {
  /** Whether all changes since the cursor are known. */
  isKnown: boolean
  cursor: string
  /** Also deleted ones. */
  changed: MemoryWithThread[]
}

const FIRST_CURSOR = '0'

/** The memories of an owner that changed since a cursor, and the cursor after them. */
export const listChanges = async (
  query: Query,
  ownerId: string,
  cursor: string | undefined,
): Promise<ListedChanges> => {
  const [count, seq] = cursor?.split('-') ?? []
  const rows = await namedQuery(query, CHANGES, { ownerId, count: count ?? -1, seq: seq ?? null })
  const [first] = rows
  if (!first) return { isKnown: cursor === FIRST_CURSOR, cursor: FIRST_CURSOR, changed: [] }
  const { change_count, last_seq } = first
  const next = last_seq === null ? `${change_count}` : `${change_count}-${last_seq}`
  const found = rows.filter((row) => row.changed_seq !== null)
  // A memory that was erased has no id any more.
  const isErased = found.some((row) => row.memory_id === null)
  return {
    isKnown: first.is_known === true && !isErased,
    cursor: next,
    changed: isErased ? [] : found.map(memoryFromRow),
  }
}
