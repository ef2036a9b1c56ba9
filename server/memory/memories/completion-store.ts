import { fromRow, type Query } from '../../platform/db/database.ts'
import { jsonRows, namedQuery } from '../../platform/db/statements.ts'
import { updateAuthorStats } from './author-stats-store.ts'
import type { MemoryKey } from './memory-key.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'
import { EXACT_FORM_PREFIX, postingRows } from './postings-store.ts'
import { type MemoryRow, memories } from './table.ts'

const AFTER = `
select owner_id, memory_id, follows_question is not null as is_complete
from memories where (owner_id, memory_id) > ($1::uuid, $2::uuid)
order by owner_id, memory_id limit $3`

/** The memories of all owners after a key, and whether each is complete. */
export const listMemoriesAfter = async (
  query: Query,
  { ownerId, memoryId }: MemoryKey,
  limit: number,
): Promise<(MemoryKey & { isComplete: boolean })[]> => {
  const rows = await query<{ owner_id: string; memory_id: string; is_complete: boolean }>(AFTER, [
    ownerId,
    memoryId,
    limit,
  ])
  return rows.map((row) => ({
    ownerId: row.owner_id,
    memoryId: row.memory_id,
    isComplete: row.is_complete,
  }))
}

const LOCK = `
with ${lockOwner('$1')}
select * from memories
where owner_id = $1 and follows_question is null and ${OWNER_EXISTS}
  and memory_id = any(array(select value::uuid from jsonb_array_elements_text($2::jsonb)))
order by memory_id for update`

/** Locks the memories that are still incomplete until they are counted. */
export const lockIncomplete = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<MemoryRow[]> => {
  const rows = await query(LOCK, [ownerId, JSON.stringify(memoryIds)])
  return rows.map((row) => fromRow(memories, row))
}

/** Expects locked memories. `follows_question` reads the current state of the memory before. */
const COMPLETE = `
with input as materialized (
  select * from ${jsonRows(':forms::jsonb', { memory_id: 'uuid', exact_forms: 'text[]' })} i
),
completed as materialized (
  update memories m set
    exact_forms = nullif(i.exact_forms, '{}'),
    follows_question = m.thread_no <> 0 and coalesce((
      select p.asks from memories p
      where p.owner_id = :ownerId and p.thread_no = m.thread_no and p.position = m.position - 1
        and p.deleted_at is null
      order by p.seq desc limit 1
    ), false)
  from input i
  where m.owner_id = :ownerId and m.memory_id = i.memory_id and m.follows_question is null
  returning m.*
),
with_forms as materialized (
  select * from completed where exact_forms is not null and deleted_at is null
),
exact as materialized (
  select m.seq, m.superseded_by is null as is_live, p.lexeme, p.frequency, p.length
  from with_forms m join (${postingRows('with_forms')}) p on p.memory_id = m.memory_id
  where left(p.lexeme, 1) = '${EXACT_FORM_PREFIX}'
),
posted as (
  insert into memory_postings (owner_id, term, seq, frequency, length)
  select :ownerId, lexeme, seq, frequency, length from exact where is_live on conflict do nothing
),
posted_past as (
  insert into memory_past_postings (owner_id, term, seq, frequency, length)
  select :ownerId, lexeme, seq, frequency, length from exact where not is_live on conflict do nothing
),
locked_stats as materialized (select owner_id from memory_stats where owner_id = :ownerId for update),
${updateAuthorStats('select *, 1 as sign from completed where deleted_at is null', 'locked_stats')}
select from completed`

/** Stores exact forms with their postings, and counts the memories for their authors. */
export const completeMemories = async (
  query: Query,
  ownerId: string,
  forms: { memory_id: string; exact_forms: string[] }[],
): Promise<void> => {
  await namedQuery(query, COMPLETE, { ownerId, forms: JSON.stringify(forms) })
}
