import type { Trust } from '../../../shared/contract/memories.ts'
import { fromRow, type Query } from '../../platform/db/database.ts'
import { SINGULAR_KEYS } from '../facts/rules/fact.ts'
import type { FactRow } from '../facts/store.ts'
import { memoryFacts } from '../facts/table.ts'
import { factTrusts } from '../memories/actor.ts'
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
  /** That of the memory. A statement does not replace one of higher trust. */
  trust: Trust
}

const STATEMENTS = `
select f.key, f.value, f.memory_id, f.quote, coalesce(m.occurred_at, m.created_at) as at,
  m.updated_at, m.superseded_by is null as is_current, m.trust
from memory_facts f
join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
where f.owner_id = $1 and f.subject in (select jsonb_array_elements_text($2::jsonb))
  and f.key ~ $3 and m.trust in (select jsonb_array_elements_text($4::jsonb)) and m.deleted_at is null and strpos(m.content_text, f.quote) > 0
order by at, m.seq, strpos(m.content_text, f.quote)`

type Row = Record<'key' | 'value' | 'memory_id' | 'quote', string> &
  Record<'at' | 'updated_at', string | Date> &
  Record<'is_current', boolean> & { trust: Trust }

/**
 * The statements of single-value keys about a user, in chronological order.
 * @param trusts the levels of trust of the memories that count; undefined for all that may state a fact.
 */
export const listAnchorStatements = async (
  query: Query,
  ownerId: ReadableOwner,
  subjects: string[],
  trusts?: Trust[],
): Promise<Statement[]> => {
  const rows = await query<Row>(STATEMENTS, [
    ...[ownerId, JSON.stringify(subjects), SINGULAR_KEYS],
    JSON.stringify(factTrusts(trusts)),
  ])
  return rows.map(({ memory_id, is_current, at, updated_at, ...row }) => ({
    ...row,
    memoryId: memory_id,
    isCurrent: is_current,
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
