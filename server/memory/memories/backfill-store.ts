import { fromRow, type Query } from '../../platform/db/database.ts'
import { jsonRows, namedQuery } from '../../platform/db/statements.ts'
import { ANALYZER_VERSION } from '../text/analyzer.ts'
import { recordChanges } from './change-parts-store.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'
import { type MemoryRow, memories } from './table.ts'

/** The primary key of a memory: walks over all memories are in its order. */
export interface MemoryKey {
  ownerId: string
  memoryId: string
}

/** Before all memories. */
export const FIRST_KEY: MemoryKey = {
  ownerId: '00000000-0000-0000-0000-000000000000',
  memoryId: '00000000-0000-0000-0000-000000000000',
}

export const formatKey = ({ ownerId, memoryId }: MemoryKey): string => `${ownerId}/${memoryId}`

export const parseKey = (text: string): MemoryKey => {
  const [ownerId = '', memoryId = ''] = text.split('/')
  return { ownerId, memoryId }
}

const IS_COMPLETE = `(follows_question is not null and terms_version >= ${ANALYZER_VERSION})`

const AFTER = `
select owner_id, memory_id, ${IS_COMPLETE} as is_complete
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

/** The tags and authors of memories of all owners after a key that are not folded yet. */
export const listLabelsAfter = async (
  query: Query,
  { ownerId, memoryId }: MemoryKey,
  limit: number,
): Promise<(MemoryKey & Pick<MemoryRow, 'tags' | 'author'>)[]> => {
  const rows = await query<{
    owner_id: string
    memory_id: string
    tags: string[]
    author: string | null
  }>(
    `select owner_id, memory_id, tags, author from memories
    where (owner_id, memory_id) > ($1::uuid, $2::uuid) and folded_tags is null and folded_author is null
    order by owner_id, memory_id limit $3`,
    [ownerId, memoryId, limit],
  )
  return rows.map(({ owner_id, memory_id, ...labels }) => ({
    ownerId: owner_id,
    memoryId: memory_id,
    ...labels,
  }))
}

const FOLD = `
update memories m set folded_tags = nullif(f.folded_tags, '{}'), folded_author = f.folded_author
from jsonb_to_recordset($1::jsonb) as f(
  owner_id uuid, memory_id uuid, tags text[], author text, folded_tags text[], folded_author text
)
where m.owner_id = f.owner_id and m.memory_id = f.memory_id and m.tags = f.tags
  and m.author is not distinct from f.author`

/** Stores the folded labels of memories that still have these labels. */
export const storeFoldedLabels = async (
  query: Query,
  folded: Record<string, unknown>[],
): Promise<void> => {
  await query(FOLD, [JSON.stringify(folded)])
}

const LOCK = `
with ${lockOwner('$1')}
select * from memories
where owner_id = $1 and not ${IS_COMPLETE} and ${OWNER_EXISTS}
  and memory_id = any(array(select value::uuid from jsonb_array_elements_text($2::jsonb)))
order by memory_id for update`

/** Locks the memories that are still incomplete until they are completed. */
export const lockIncomplete = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<MemoryRow[]> => {
  const rows = await query(LOCK, [ownerId, JSON.stringify(memoryIds)])
  return rows.map((row) => fromRow(memories, row))
}

/** A memory to complete. */
export interface IncompleteMemory {
  memory_id: string
  terms: string
  terms_version: number
}

/** Expects locked memories. `follows_question` reads the current state of the memory before. */
const COMPLETE = `
with input as materialized (
  select * from ${jsonRows(':completions::jsonb', {
    memory_id: 'uuid',
    terms: 'text',
    terms_version: 'smallint',
  })} i
),
completed as materialized (
  update memories m set terms = i.terms, terms_version = i.terms_version,
    follows_question = coalesce(m.follows_question, m.thread_no <> 0 and coalesce((
      select p.asks from memories p
      where p.owner_id = :ownerId and p.thread_no = m.thread_no and p.position = m.position - 1
        and p.deleted_at is null
      order by p.seq desc limit 1
    ), false))
  from input i
  where m.owner_id = :ownerId and m.memory_id = i.memory_id
  returning m.seq
),
${recordChanges('completed')}
select from completed`

/** Stores the terms of memories. */
export const completeMemories = async (
  query: Query,
  ownerId: string,
  completions: IncompleteMemory[],
): Promise<void> => {
  await namedQuery(query, COMPLETE, { ownerId, completions: JSON.stringify(completions) })
}
