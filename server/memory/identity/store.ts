import { fromRow, type Query } from '../../platform/db/database.ts'
import { SINGULAR_KEYS } from '../facts/rules/index.ts'
import type { FactRow } from '../facts/store.ts'
import { memoryFacts } from '../facts/table.ts'
import { type MemoryWithThread, memoryFromRow } from '../memories/store.ts'
import type { ReadableOwner } from '../wall.ts'

/** A memory's statement of a user's value of a key. */
export interface Statement {
  key: string
  value: string
  memoryId: string
  quote: string
  at: Date
  /** The time of the memory's last change. */
  updatedAt: Date
  /** The memory is not superseded. */
  isCurrent: boolean
  /** An imported text, which does not replace what the user or an assistant states. */
  isImported: boolean
}

const STATEMENTS = `
select f.key, f.value, f.memory_id, f.quote, coalesce(m.occurred_at, m.created_at) as at,
  m.updated_at, m.superseded_by is null as is_current, m.trust = 'imported' as is_imported
from memory_facts f
join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
where f.owner_id = $1 and f.subject in (select jsonb_array_elements_text($2::jsonb))
  and f.key ~ $3 and m.deleted_at is null and strpos(m.content_text, f.quote) > 0
order by at, m.seq, strpos(m.content_text, f.quote)`

type Row = Record<'key' | 'value' | 'memory_id' | 'quote', string> &
  Record<'at' | 'updated_at', string | Date> &
  Record<'is_current' | 'is_imported', boolean>

/** The statements of single-value keys about a user, in chronological order. */
export const listStatements = async (
  query: Query,
  ownerId: ReadableOwner,
  subjects: string[],
): Promise<Statement[]> => {
  const rows = await query<Row>(STATEMENTS, [ownerId, JSON.stringify(subjects), SINGULAR_KEYS])
  return rows.map(({ memory_id, is_current, is_imported, at, updated_at, ...row }) => ({
    ...row,
    memoryId: memory_id,
    isCurrent: is_current,
    isImported: is_imported,
    at: new Date(at),
    updatedAt: new Date(updated_at),
  }))
}

const READ_MEMORIES = `
select m.*, t.thread from memories m
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
where m.owner_id = $1 and m.memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))`

export const readLosingMemories = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<MemoryWithThread[]> =>
  (await query(READ_MEMORIES, [ownerId, JSON.stringify(memoryIds)])).map(memoryFromRow)

const READ_FACTS = `
select * from memory_facts
where owner_id = $1 and memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))`

export const readFacts = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<FactRow[]> =>
  (await query(READ_FACTS, [ownerId, JSON.stringify(memoryIds)])).map((row) =>
    fromRow(memoryFacts, row),
  )
