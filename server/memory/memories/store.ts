import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { type Database, type Db, fromRow, type Query } from '../../platform/db/database.ts'
import {
  type MemoryRow,
  memories,
  memoryAuthors,
  memoryHistory,
  memoryStats,
  memoryThreads,
  pastPostings,
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
-- Whoever is being deleted at this moment writes nothing any more.
writer as materialized (select from users where id = $2 for key share),
fresh as materialized (
  select i.*, row_number() over (partition by i.thread order by i.ordinality) as place
  from (
    select distinct on (thread, content_hash) * from input
    where ordinality not in (select ordinality from known) and exists (select from writer)
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
  query: Query,
  owner: { ownerId: string; userId: string; orgId: string | null },
  rows: NewMemory[],
): Promise<Map<number, StoredMemory>> => {
  const stored = await query<
    { ordinality: number; deduplicated: boolean } & Record<string, unknown>
  >(INSERT, [owner.ownerId, owner.userId, owner.orgId, JSON.stringify(rows)])
  return new Map(
    stored.map((row) => [
      row.ordinality - 1,
      {
        memory: withName(row),
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

/** Who changes a memory. */
export interface Actor {
  kind: string
  ref: string | null
}

/** Its postings go. Expects the memory as `gone`. */
const UNPOST = (table = 'memory_postings', rows = 'unposted') => `
${rows} as materialized (
  delete from ${table} p
  using gone g, unnest(to_tsvector('english', g.content_text)) w
  where p.owner_id = $1 and p.term = w.lexeme and p.seq = g.seq
  returning p.*
)`
const UNPOST_PAST = UNPOST('memory_past_postings', 'unposted_past')

/** Its postings come, those of a superseded memory aside. Expects the memory as `come`. */
const POST = `
words as materialized (
  select seq, superseded_by is null as is_live, lexeme, cardinality(positions) as frequency,
    sum(cardinality(positions)) over () as length
  from come, unnest(to_tsvector('english', content_text))
),
posted as materialized (
  insert into memory_postings (owner_id, term, seq, frequency, length)
  select $1, lexeme, seq, frequency, length from words where is_live
  returning frequency
),
posted_past as (
  insert into memory_past_postings (owner_id, term, seq, frequency, length)
  select $1, lexeme, seq, frequency, length from words where not is_live
)`

const COUNT = (memories: string, words: string) => `
counted as (
  update memory_stats set memory_count = memory_count + ${memories}, word_count = word_count + ${words}
  where owner_id = $1
)`
const sumOf = (rows: string) => `(select coalesce(sum(frequency), 0) from ${rows})`
const liveIn = (rows: string) => `(select count(*) from ${rows} where superseded_by is null)`

const NOTE = (action: string, from: string, before = 'null::jsonb') => `
noted as (
  insert into memory_history (owner_id, memory_id, id, action, actor_kind, actor_ref, before)
  select $1, memory_id, $3, '${action}', $4, $5, ${before} from ${from}
)`

/** Takes a memory out of recall; the row stays, to be restored. */
const FORGET = `
with gone as materialized (
  update memories set deleted_at = now(), updated_at = now()
  where owner_id = $1 and memory_id = $2 and deleted_at is null
  returning *
),
${UNPOST()},
${UNPOST_PAST},
${COUNT(`- ${liveIn('gone')}`, `- ${sumOf('unposted')}`)},
${NOTE('deleted', 'gone')}
select memory_id from gone`

/** Takes a memory away with its history, whether or not it was forgotten before. */
const ERASE = `
with erased as materialized (
  delete from memories where owner_id = $1 and memory_id = $2 returning *
),
gone as materialized (select * from erased where deleted_at is null),
${UNPOST()},
${UNPOST_PAST},
${COUNT(`- ${liveIn('gone')}`, `- ${sumOf('unposted')}`)},
forgotten as (delete from memory_history where owner_id = $1 and memory_id = $2)
select memory_id from erased`

const RESTORE = `
with come as materialized (
  update memories set deleted_at = null, updated_at = now()
  where owner_id = $1 and memory_id = $2 and deleted_at > now() - interval '30 days'
  returning *
),
${POST},
${COUNT(liveIn('come'), sumOf('posted'))},
${NOTE('restored', 'come')}
select c.*, t.thread from come c
left join memory_threads t on t.owner_id = c.owner_id and t.thread_no = c.thread_no`

/** $2 gives way to $6 from the time on that $6 tells of: it is kept for recalls as of before. */
const SUPERSEDE = `
with come as materialized (
  update memories set supersedes = $2, valid_from = coalesce(occurred_at, now()), updated_at = now()
  where owner_id = $1 and memory_id = $6
  returning *
),
gone as materialized (
  update memories m set superseded_by = c.memory_id, valid_to = c.valid_from, updated_at = now()
  from come c where m.owner_id = $1 and m.memory_id = $2
  returning m.*
),
${UNPOST()},
past as (insert into memory_past_postings select * from unposted),
${COUNT('- 1', `- ${sumOf('unposted')}`)},
${NOTE('superseded', 'gone')}
select c.*, t.thread from come c
left join memory_threads t on t.owner_id = c.owner_id and t.thread_no = c.thread_no`

/** $6 holds what changes, as JSON: a key that is not there leaves its column as it is. */
const UPDATE = `
with gone as materialized (
  select m.*, t.thread, $6::jsonb as patch from memories m
  left join memory_threads t on t.owner_id = m.owner_id and t.thread_no = m.thread_no
  where m.owner_id = $1 and m.memory_id = $2 and m.deleted_at is null
    and m.superseded_by is null
  for update of m
),
moved as (
  insert into memory_threads as t (owner_id, thread, last_position)
  select $1, patch->>'thread', 1 from gone
  where patch->>'thread' is not null and patch->>'thread' is distinct from thread
  on conflict (owner_id, thread) do update set last_position = t.last_position + 1
  returning thread_no, last_position
),
${UNPOST()},
come as materialized (
  update memories m set
    content_text = coalesce(patch->>'content_text', m.content_text),
    content_hash = coalesce((patch->>'content_hash')::uuid, m.content_hash),
    asks = coalesce((patch->>'asks')::boolean, m.asks),
    ends_asking = coalesce((patch->>'ends_asking')::boolean, m.ends_asking),
    memory_type = coalesce(patch->>'memory_type', m.memory_type),
    importance = coalesce((patch->>'importance')::float8, m.importance),
    tags = case when patch ? 'tags'
      then array(select jsonb_array_elements_text(patch->'tags')) else m.tags end,
    metadata = coalesce(patch->'metadata', m.metadata),
    author = case when patch ? 'author' then patch->>'author' else m.author end,
    agent_slug = case when patch ? 'agent_slug' then patch->>'agent_slug' else m.agent_slug end,
    occurred_at = case when patch ? 'occurred_at'
      then (patch->>'occurred_at')::timestamptz else m.occurred_at end,
    thread_no = case when not patch ? 'thread' or patch->>'thread' = g.thread then m.thread_no
      else coalesce((select thread_no from moved), 0) end,
    position = case when not patch ? 'thread' or patch->>'thread' = g.thread then m.position
      else (select last_position from moved) end,
    updated_at = now()
  from gone g
  where m.owner_id = $1 and m.memory_id = g.memory_id
    -- The postings before must be gone when those after come.
    and (select count(*) from unposted) >= 0
  returning m.*
),
${POST},
authors as (
  insert into memory_authors (owner_id, term, author)
  select $1, w.lexeme, c.author from come c, unnest(to_tsvector('english', c.author)) w
  where c.author is not null
  on conflict do nothing
),
${COUNT('0', `${sumOf('posted')} - ${sumOf('unposted')}`)},
${NOTE(
  'updated',
  'gone',
  `jsonb_build_object('content_text', content_text, 'memory_type', memory_type,
    'importance', importance, 'tags', to_jsonb(tags), 'thread', thread, 'author', author,
    'agent_slug', agent_slug, 'metadata', metadata, 'occurred_at', occurred_at)`,
)}
select c.*, case when g.patch ? 'thread' then g.patch->>'thread' else g.thread end as thread
from come c, gone g`

/**
 * Changes one memory. It is locked by a statement of its own first: the next one then sees the
 * postings that a writer before it has left.
 */
const change = (
  database: Database,
  statement: string,
  ownerId: string,
  memoryId: string,
  params: unknown[],
) =>
  database.transaction(async (query) => {
    await query('select from memories where owner_id = $1 and memory_id = $2 for update', [
      ownerId,
      memoryId,
    ])
    return query(statement, [ownerId, memoryId, ...params])
  })

/** @returns whether there was such a memory. */
export const forgetMemory = async (
  database: Database,
  ownerId: string,
  memoryId: string,
  actor: Actor,
): Promise<boolean> => {
  const rows = await change(database, FORGET, ownerId, memoryId, event(actor))
  return rows.length > 0
}

/** @returns whether there was such a memory, forgotten or not. */
export const eraseMemory = async (
  database: Database,
  ownerId: string,
  memoryId: string,
): Promise<boolean> => (await change(database, ERASE, ownerId, memoryId, [])).length > 0

/** @returns the memory, unless it was not forgotten or is gone. @throws when its content is taken. */
export const restoreMemory = async (
  database: Database,
  ownerId: string,
  memoryId: string,
  actor: Actor,
): Promise<MemoryWithThread | undefined> => {
  const [row] = await change(database, RESTORE, ownerId, memoryId, event(actor))
  return row && withName(row)
}

/** @returns the memory as it is now, if it is there. @throws when its content is taken. */
export const updateMemory = async (
  database: Database,
  ownerId: string,
  memoryId: string,
  actor: Actor,
  patch: Partial<NewMemory>,
): Promise<MemoryWithThread | undefined> => {
  const params = [...event(actor), JSON.stringify(patch)]
  const [row] = await change(database, UPDATE, ownerId, memoryId, params)
  return row && withName(row)
}

/**
 * Locks memories that are to be superseded, in one order, and tells how they stand.
 * @returns those that are there, and which of them were superseded before.
 */
export const lockForSupersession = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<Map<string, { isSuperseded: boolean }>> => {
  const rows = await query<{ memory_id: string; superseded: boolean }>(
    `select memory_id, superseded_by is not null as superseded from memories
    where owner_id = $1 and deleted_at is null
      and memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))
    order by memory_id for update`,
    [ownerId, JSON.stringify(memoryIds)],
  )
  return new Map(rows.map((row) => [row.memory_id, { isSuperseded: row.superseded }]))
}

/** @returns the memory that took the other's place, as it is now. */
export const supersedeMemory = async (
  query: Query,
  ownerId: string,
  actor: Actor,
  superseded: string,
  by: string,
): Promise<MemoryWithThread> => {
  const [row] = await query(SUPERSEDE, [ownerId, superseded, ...event(actor), by])
  if (!row) throw new Error('a memory that was just written is not there')
  return withName(row)
}

export const listHistory = (db: Db, ownerId: string, memoryId: string) =>
  db
    .select()
    .from(memoryHistory)
    .where(and(eq(memoryHistory.ownerId, ownerId), eq(memoryHistory.memoryId, memoryId)))
    .orderBy(memoryHistory.id)

const event = (actor: Actor) => [Bun.randomUUIDv7(), actor.kind, actor.ref]

const withName = (row: Record<string, unknown>): MemoryWithThread => ({
  ...fromRow(memories, row),
  thread: row.thread as string | null,
})

/**
 * Erases all memories of an owner, in the order in which a writer locks; threads once more, because a
 * memory may have been moved to a new one meanwhile.
 */
export const eraseOwner = async (tx: Db, ownerId: string): Promise<void> => {
  const rows = [memories, memoryHistory, postings, pastPostings, memoryAuthors, memoryStats]
  for (const table of [memoryThreads, ...rows, memoryThreads])
    await tx.delete(table).where(eq(table.ownerId, ownerId))
}
