import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { jsonRows } from '../../platform/db/statements.ts'
import { lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'
import type { ShownMemory } from '../memories/store.ts'
import { type MemoryRow, memories } from '../memories/table.ts'
import type { Fact } from './rules/fact.ts'
import { memoryFacts } from './table.ts'

export type FactRow = typeof memoryFacts.$inferSelect

/** A memory with the time zone in which its dates are read. */
export type ZonedMemory = ShownMemory & { timezone: string }

/** A row to insert, by column name. */
export interface NewFact {
  fact_id: string
  memory_id: string
  kind: FactRow['kind']
  subject: string
  key: string
  value: string
  is_liked: boolean | null
  quote: string
  due_at: string | null
  timezone: string | null
  extracted_by: string
}

/** The id is derived from the memory and the fact, so that a second extraction keeps it. */
export const toNewFact = (memoryId: string, fact: Fact, by: string): NewFact => ({
  fact_id: Bun.randomUUIDv5(JSON.stringify([fact.subject, fact.key, fact.value]), memoryId),
  memory_id: memoryId,
  kind: fact.kind,
  subject: fact.subject,
  key: fact.key,
  value: fact.value,
  is_liked: fact.polarity && fact.polarity === 'like',
  quote: fact.quote,
  due_at: fact.dueAt?.toISOString() ?? null,
  timezone: fact.timezone,
  extracted_by: by,
})

/** A memory that changed since it was read, or is being erased, keeps its facts: no row is locked. */
const REPLACE = `
with ${lockOwner('$1')},
seen as materialized (
  select * from ${jsonRows('$2::jsonb', { memory_id: 'uuid', updated_at: 'timestamptz' })} s
),
locked as materialized (
  select memory_id from memories
  where owner_id = $1 and memory_id = any(array(select memory_id from seen)) and ${OWNER_EXISTS}
    and ((memory_id, updated_at) in (select memory_id, updated_at from seen)) is true
  order by memory_id for share
),
fresh as materialized (
  select f.* from ${jsonRows('$3::jsonb', {
    fact_id: 'uuid',
    memory_id: 'uuid',
    kind: 'text',
    subject: 'text',
    key: 'text',
    value: 'text',
    is_liked: 'boolean',
    quote: 'text',
    due_at: 'timestamptz',
    timezone: 'text',
    extracted_by: 'text',
  })} f
  join locked on locked.memory_id = f.memory_id
),
removed as (
  delete from memory_facts
  where owner_id = $1 and memory_id in (select memory_id from locked)
    and fact_id not in (select fact_id from fresh)
),
known as materialized (
  select fact_id from memory_facts
  where owner_id = $1 and memory_id in (select memory_id from locked)
),
stored as (
  insert into memory_facts (
    owner_id, fact_id, memory_id, kind, subject, key, value, is_liked, quote, due_at, timezone, extracted_by
  )
  select $1, fact_id, memory_id, kind, subject, key, value, is_liked, quote, due_at, timezone, extracted_by
  from fresh
  on conflict (owner_id, fact_id) do update set kind = excluded.kind, is_liked = excluded.is_liked,
    quote = excluded.quote, due_at = excluded.due_at, timezone = excluded.timezone,
    extracted_by = excluded.extracted_by
)
select memory_id, kind, key from fresh where fact_id not in (select fact_id from known)`

/** A fact that was not known before. */
export type FoundFact = Pick<NewFact, 'memory_id' | 'kind' | 'key'>

/**
 * Replaces the facts of memories that have not changed since they were read. Facts that stay keep their ids.
 * @returns those that are new.
 */
export const replaceFacts = async (
  query: Query,
  ownerId: string,
  memories: Pick<MemoryRow, 'memoryId' | 'updatedAt'>[],
  facts: NewFact[],
): Promise<FoundFact[]> => {
  const seen = memories.map(({ memoryId, updatedAt }) => ({
    memory_id: memoryId,
    updated_at: updatedAt.toISOString(),
  }))
  return query(REPLACE, [ownerId, JSON.stringify(seen), JSON.stringify(facts)])
}

/** The position of the quote in the memory, from 1; 0 if a change of the memory removed it. */
const quotePosition = sql<number>`strpos(${memories.contentText}, ${memoryFacts.quote})`

/** The facts of a memory, in the order of their quotes. */
export const listFacts = async (db: Db, ownerId: string, memoryId: string): Promise<FactRow[]> => {
  const isOfMemory = and(
    eq(memories.ownerId, memoryFacts.ownerId),
    eq(memories.memoryId, memoryFacts.memoryId),
  )
  const rows = await db
    .select({ fact: memoryFacts })
    .from(memoryFacts)
    .innerJoin(memories, isOfMemory)
    .where(
      and(
        eq(memoryFacts.ownerId, ownerId),
        eq(memoryFacts.memoryId, memoryId),
        gt(quotePosition, 0),
      ),
    )
    .orderBy(quotePosition, memoryFacts.key, memoryFacts.value)
  return rows.map(({ fact }) => fact)
}

/** Whether an engine has a pending task for a memory. */
export const hasPendingTask = async (
  query: Query,
  ownerId: string,
  engine: string,
  memoryId: string,
): Promise<boolean> => {
  const [row] = await query(
    `select from memory_tasks t
    join memories m on m.owner_id = t.owner_id and m.seq = t.seq
    where t.owner_id = $1 and t.engine = $2 and m.memory_id = $3`,
    [ownerId, engine, memoryId],
  )
  return row !== undefined
}
