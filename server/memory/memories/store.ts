import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { type Database, type Db, fromRow } from '../../platform/db/database.ts'
import {
  type MemoryRow,
  memories,
  memoryAuthors,
  memoryStats,
  memoryThreads,
  postings,
} from './table.ts'

/** A memory with the name of its thread. */
export type MemoryWithThread = MemoryRow & { thread: string | null }

/** What is stored of a memory that somebody wants remembered. */
export interface NewMemory {
  memory_id: string
  content_text: string
  content_hash: string
  asks: boolean
  ends_asking: boolean
  memory_type: string
  importance: number
  tags: string[]
  thread: string | null
  author: string | null
  agent_slug: string | null
  source_kind: string
  source_ref: string | null
  metadata: Record<string, unknown>
  occurred_at: string | null
}

/**
 * Memories, threads, postings and statistics in one statement, and so in one transaction and one
 * round trip. Threads are locked in the order of their names, memories without one in the order of
 * their hashes, and the statistics last, so that two batches cannot wait for each other. What is
 * there already is left alone and returned.
 *
 * A writer that commits the same content while this statement waits is not in its snapshot: those
 * rows are missing from the answer, and the caller runs it again.
 */
const INSERT = `
with input as materialized (
  select r.*
  from rows from (jsonb_to_recordset($4::jsonb) as (
    memory_id uuid, content_text text, content_hash uuid, asks boolean, ends_asking boolean,
    memory_type text, importance float8, tags jsonb, thread text, author text, agent_slug text,
    source_kind text, source_ref text, metadata jsonb, occurred_at timestamptz
  )) with ordinality as r(
    memory_id, content_text, content_hash, asks, ends_asking, memory_type, importance, tags, thread,
    author, agent_slug, source_kind, source_ref, metadata, occurred_at, ordinality
  )
),
known as materialized (
  select i.ordinality, m.memory_id
  from input i
  left join memory_threads t on t.owner_id = $1 and t.thread = i.thread
  -- A lookup for each, whatever the planner expects: else it may read all that the owner has.
  cross join lateral (
    select memory_id from memories
    where owner_id = $1 and content_hash = i.content_hash
      and thread_no = case when i.thread is null then 0 else t.thread_no end
      and deleted_at is null and superseded_by is null
    limit 1
  ) m
),
fresh as materialized (
  select i.*, row_number() over (partition by i.thread order by i.ordinality) as place
  from (
    select distinct on (thread, content_hash) * from input
    where ordinality not in (select ordinality from known)
    order by thread, content_hash, ordinality
  ) i
),
words as materialized (
  select memory_id, lexeme, cardinality(positions) as frequency,
    sum(cardinality(positions)) over (partition by memory_id) as length
  from fresh, unnest(to_tsvector('english', content_text))
),
threads as (
  insert into memory_threads as t (owner_id, thread, last_position)
  select $1, thread, count(*) from fresh where thread is not null group by thread order by thread
  on conflict (owner_id, thread)
    do update set last_position = t.last_position + excluded.last_position
  returning t.thread_no, t.thread, t.last_position
),
placed as (
  select f.*, coalesce(t.thread_no, 0) as thread_no,
    t.last_position - count(*) over (partition by f.thread) + f.place as position
  from fresh f left join threads t on t.thread = f.thread
),
inserted as (
  insert into memories (
    owner_id, memory_id, user_id, org_id, content_text, content_hash, asks, ends_asking,
    memory_type, importance, tags, thread_no, position, author, agent_slug, source_kind, source_ref,
    metadata, occurred_at
  )
  select $1, memory_id, $2, $3, content_text, content_hash, asks, ends_asking,
    memory_type, importance, array(select jsonb_array_elements_text(tags)), thread_no, position,
    author, agent_slug, source_kind, source_ref, metadata, occurred_at
  from placed order by case when thread_no = 0 then content_hash end nulls last, ordinality
  on conflict (owner_id, thread_no, content_hash)
    where deleted_at is null and superseded_by is null do nothing
  returning *
),
posted as (
  insert into memory_postings (owner_id, term, seq, frequency, length)
  select $1, w.lexeme, m.seq, w.frequency, w.length
  from words w join inserted m on m.memory_id = w.memory_id
  returning frequency
),
authors as (
  insert into memory_authors (owner_id, term, author)
  select distinct $1::uuid, w.lexeme, f.author
  from (select distinct author from fresh where author is not null) f,
    unnest(to_tsvector('english', f.author)) w
  order by 2, 3
  on conflict do nothing
),
counted as (
  insert into memory_stats as s (owner_id, memory_count, word_count)
  select $1, count(*), (select coalesce(sum(frequency), 0) from posted)
  from inserted having count(*) > 0
  on conflict (owner_id) do update set
    memory_count = s.memory_count + excluded.memory_count,
    word_count = s.word_count + excluded.word_count
)
select i.ordinality::int as ordinality, false as deduplicated, i.thread, m.*
from inserted m join placed i on i.memory_id = m.memory_id
union all
select k.ordinality::int, true, t.thread, m.*
from known k
join memories m on m.owner_id = $1 and m.memory_id = k.memory_id
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
order by 1`

export interface StoredMemory {
  memory: MemoryWithThread
  deduplicated: boolean
}

/**
 * Stores memories, each once.
 * @returns for each position of `rows` that was stored or known already, its memory. A position is
 * missing when the same content stands earlier in `rows`, or was written by another at this moment.
 */
export const insertMemories = async (
  database: Database,
  owner: { ownerId: string; userId: string; orgId: string | null },
  rows: NewMemory[],
): Promise<Map<number, StoredMemory>> => {
  const stored = await database.query<
    { ordinality: number; deduplicated: boolean; thread: string | null } & Record<string, unknown>
  >(INSERT, [owner.ownerId, owner.userId, owner.orgId, JSON.stringify(rows)])
  return new Map(
    stored.map((row) => [
      row.ordinality - 1,
      {
        memory: { ...fromRow(memories, row), thread: row.thread },
        deduplicated: row.deduplicated,
      },
    ]),
  )
}

const withThread = (db: Db) =>
  db
    .select({ memory: memories, thread: memoryThreads.thread })
    .from(memories)
    .leftJoin(
      memoryThreads,
      and(
        eq(memoryThreads.ownerId, memories.ownerId),
        eq(memoryThreads.threadNo, memories.threadNo),
      ),
    )
    .$dynamic()

export const findMemory = async (
  db: Db,
  ownerId: string,
  memoryId: string,
): Promise<MemoryWithThread | undefined> => {
  const [row] = await withThread(db).where(
    and(eq(memories.ownerId, ownerId), eq(memories.memoryId, memoryId), isNull(memories.deletedAt)),
  )
  return row && { ...row.memory, thread: row.thread }
}

/** Newest first; `before` is the last memory of the page before. */
export const listMemories = async (
  db: Db,
  ownerId: string,
  filter: {
    limit: number
    before?: string | undefined
    thread?: string | undefined
    memoryType?: MemoryRow['memoryType'] | undefined
  },
): Promise<MemoryWithThread[]> => {
  const rows = await withThread(db)
    .where(
      and(
        eq(memories.ownerId, ownerId),
        isNull(memories.deletedAt),
        filter.before ? lt(memories.memoryId, filter.before) : undefined,
        filter.thread ? eq(memoryThreads.thread, filter.thread) : undefined,
        filter.memoryType ? eq(memories.memoryType, filter.memoryType) : undefined,
      ),
    )
    .orderBy(desc(memories.memoryId))
    .limit(filter.limit)
  return rows.map((row) => ({ ...row.memory, thread: row.thread }))
}

/** Takes a memory out of recall in one statement: its postings and its part of the statistics. */
const FORGET = (change: string) => `
with gone as materialized (
  select * from memories
  where owner_id = $1 and memory_id = $2 and deleted_at is null
  for update
),
changed as (${change}),
unposted as (
  delete from memory_postings p
  using gone g, unnest(to_tsvector('english', g.content_text)) w
  where p.owner_id = $1 and p.term = w.lexeme and p.seq = g.seq
  returning p.frequency
),
counted as (
  update memory_stats set
    memory_count = memory_count - 1,
    word_count = word_count - (select coalesce(sum(frequency), 0) from unposted)
  where owner_id = $1 and exists (select from gone)
)
select memory_id from changed`

const SOFT_DELETE = FORGET(`
  update memories m set deleted_at = now(), updated_at = now() from gone g
  where m.owner_id = $1 and m.memory_id = g.memory_id returning m.memory_id`)

const ERASE = FORGET(`
  delete from memories m
  where m.owner_id = $1 and m.memory_id = $2 returning m.memory_id`)

/**
 * @param permanent erases the row too, also of a memory that was forgotten before.
 * @returns whether there was such a memory.
 */
export const forgetMemory = async (
  database: Database,
  ownerId: string,
  memoryId: string,
  permanent: boolean,
): Promise<boolean> => {
  const rows = await database.query(permanent ? ERASE : SOFT_DELETE, [ownerId, memoryId])
  return rows.length > 0
}

/** Erases all memories of an owner; in the order in which a writer locks. */
export const eraseOwner = async (tx: Db, ownerId: string): Promise<void> => {
  for (const table of [memoryThreads, memories, postings, memoryAuthors, memoryStats])
    await tx.delete(table).where(eq(table.ownerId, ownerId))
}
