import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { OWNER, OWNER_IS_THERE } from '../memories/owner.ts'
import { memories } from '../memories/table.ts'
import type { Fact } from './rules/index.ts'
import { memoryFacts } from './table.ts'

export type FactRow = typeof memoryFacts.$inferSelect

/** A fact as it is stored, in the names of its columns. */
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

/** The same fact of the same memory has the same id whenever it is read. */
export const newFact = (memoryId: string, fact: Fact, by: string): NewFact => ({
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

/** A memory that is being erased at this moment has no facts any more. */
const REPLACE = `
with ${OWNER},
held as materialized (
  select memory_id from memories
  where owner_id = $1 and memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))
    and ${OWNER_IS_THERE}
  order by memory_id for key share
),
fresh as materialized (
  select f.* from jsonb_to_recordset($3::jsonb) as f(
    fact_id uuid, memory_id uuid, kind text, subject text, key text, value text, is_liked boolean,
    quote text, due_at timestamptz, timezone text, extracted_by text
  )
  join held on held.memory_id = f.memory_id
),
gone as (
  delete from memory_facts
  where owner_id = $1 and memory_id in (select memory_id from held)
    and fact_id not in (select fact_id from fresh)
)
insert into memory_facts (
  owner_id, fact_id, memory_id, kind, subject, key, value, is_liked, quote, due_at, timezone, extracted_by
)
select $1, fact_id, memory_id, kind, subject, key, value, is_liked, quote, due_at, timezone, extracted_by
from fresh
on conflict (owner_id, fact_id) do update set kind = excluded.kind, is_liked = excluded.is_liked,
  quote = excluded.quote, due_at = excluded.due_at, timezone = excluded.timezone,
  extracted_by = excluded.extracted_by`

/** Makes these the facts of these memories. Facts that were there already keep their ids. */
export const replaceFacts = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
  facts: NewFact[],
): Promise<void> => {
  await query(REPLACE, [ownerId, JSON.stringify(memoryIds), JSON.stringify(facts)])
}

/** Where in its memory the words of a fact stand; 0 when they were changed since, and count no more. */
const place = sql<number>`strpos(${memories.contentText}, ${memoryFacts.quote})`

/** The facts of a memory, in the order in which it says them. */
export const listFacts = async (db: Db, ownerId: string, memoryId: string): Promise<FactRow[]> => {
  const isOfMemory = and(
    eq(memories.ownerId, memoryFacts.ownerId),
    eq(memories.memoryId, memoryFacts.memoryId),
  )
  const rows = await db
    .select({ fact: memoryFacts })
    .from(memoryFacts)
    .innerJoin(memories, isOfMemory)
    .where(and(eq(memoryFacts.ownerId, ownerId), eq(memoryFacts.memoryId, memoryId), gt(place, 0)))
    .orderBy(place, memoryFacts.key, memoryFacts.value)
  return rows.map(({ fact }) => fact)
}

/** Whether an engine has still to look at a memory. */
export const isWaiting = async (
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
