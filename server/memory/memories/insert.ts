import type { Query } from '../../platform/db/database.ts'
import { sharesTurn } from '../../platform/db/turns.ts'
import { languageOf, MAIN_LANGUAGE } from './language.ts'
import { type MemoryWithThread, withName } from './store.ts'

/** What is stored of a memory that somebody wants remembered. */
export interface NewMemory {
  memory_id: string
  content_text: string
  content_hash: string
  /** What stems are made of where that is not the content as it stands. */
  search_text: string | null
  /**
   * The configurations whose language it may be in, the likeliest first; one that most of the
   * owner's memories are in is preferred, and taken where there is none.
   */
  languages: string[]
  asks: boolean
  ends_asking: boolean
  memory_type: string
  importance: number
  tags: string[]
  thread: string | null
  /** The place in its thread; null: after the last. */
  position: number | null
  author: string | null
  agent_slug: string | null
  source_kind: string
  source_ref: string | null
  metadata: Record<string, unknown>
  occurred_at: string | null
  /** Of a memory that was written elsewhere before; absent: now. */
  created_at?: string | null
  updated_at?: string | null
  valid_from?: string | null
  valid_to?: string | null
  supersedes?: string | null
  superseded_by?: string | null
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
    memory_id uuid, content_text text, content_hash uuid, search_text text, languages text[],
    asks boolean, ends_asking boolean, memory_type text, importance float8, tags text[], thread text,
    position int, author text, agent_slug text, source_kind text, source_ref text, metadata jsonb,
    occurred_at timestamptz, created_at timestamptz, updated_at timestamptz, valid_from timestamptz,
    valid_to timestamptz, supersedes uuid, superseded_by uuid
  )) with ordinality as r(
    memory_id, content_text, content_hash, search_text, languages, asks, ends_asking, memory_type,
    importance, tags, thread, given_position, author, agent_slug, source_kind, source_ref, metadata,
    occurred_at, created_at, updated_at, valid_from, valid_to, supersedes, superseded_by, ordinality
  )
),
main_language as materialized (${MAIN_LANGUAGE}),
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
  where i.superseded_by is null
),
-- Whoever is being deleted at this moment writes nothing any more.
writer as materialized (select from users where id = $2 and ${sharesTurn('id')} for key share),
-- Nor is anything written for an organization that is.
shared_with as materialized (
  select from orgs where id = $3 and exists (select from writer) and ${sharesTurn('id')} for key share
),
fresh as materialized (
  select i.*,
    ${languageOf('i.languages', '(select language from main_language)')} as language,
    row_number() over (partition by i.thread, i.given_position is null order by i.ordinality) as place
  from (
    -- The same content may have been superseded many times.
    select distinct on (thread, content_hash, past_id) * from (
      select *, case when superseded_by is not null then memory_id end as past_id from input
    ) i
    where ordinality not in (select ordinality from known) and exists (select from writer)
      and ($3::uuid is null or exists (select from shared_with))
    order by thread, content_hash, past_id, ordinality
  ) i
),
words as materialized (
  select memory_id, lexeme, cardinality(positions) as frequency,
    sum(cardinality(positions)) over (partition by memory_id) as length
  from fresh, unnest(to_tsvector(language::regconfig, coalesce(search_text, content_text)))
),
reached as materialized (
  select thread, max(given_position) as position from fresh
  where given_position is not null group by thread
),
threads as (
  insert into memory_threads as t (owner_id, thread, last_position)
  select $1, thread, coalesce(max(given_position), 0) + count(*) filter (where given_position is null)
  from fresh where thread is not null group by thread order by thread
  on conflict (owner_id, thread) do update set last_position = excluded.last_position
    + greatest(t.last_position - coalesce((select position from reached r where r.thread = excluded.thread), 0), 0)
  returning t.thread_no, t.thread, t.last_position
),
placed as (
  select f.*, coalesce(t.thread_no, 0) as thread_no,
    case when t.thread_no is null then null else coalesce(f.given_position, t.last_position
      - count(*) over (partition by f.thread, f.given_position is null) + f.place) end as position
  from fresh f left join threads t on t.thread = f.thread
),
inserted as (
  insert into memories (
    owner_id, memory_id, user_id, org_id, content_text, content_hash, search_text, language, asks,
    ends_asking, memory_type, importance, tags, thread_no, position, author, agent_slug, source_kind,
    source_ref, metadata, occurred_at, created_at, updated_at, valid_from, valid_to, supersedes,
    superseded_by
  )
  select $1, memory_id, $2, $3, content_text, content_hash, search_text, language, asks,
    ends_asking, memory_type, importance, tags, thread_no, position, author, agent_slug, source_kind,
    source_ref, metadata, occurred_at, coalesce(created_at, now()),
    coalesce(updated_at, created_at, now()), valid_from, valid_to, supersedes, superseded_by
  from placed order by case when thread_no = 0 then content_hash end nulls last, ordinality
  on conflict (owner_id, thread_no, content_hash)
    where deleted_at is null and superseded_by is null do nothing
  returning *
),
posted as (
  insert into memory_postings (owner_id, term, seq, frequency, length)
  select $1, w.lexeme, m.seq, w.frequency, w.length
  from words w join inserted m on m.memory_id = w.memory_id
  where m.superseded_by is null
  returning frequency
),
posted_past as (
  insert into memory_past_postings (owner_id, term, seq, frequency, length)
  select $1, w.lexeme, m.seq, w.frequency, w.length
  from words w join inserted m on m.memory_id = w.memory_id
  where m.superseded_by is not null
),
authors as (
  insert into memory_authors (owner_id, term, author)
  select distinct $1::uuid, w.lexeme, f.author
  from (select distinct author from fresh where author is not null) f,
    unnest(to_tsvector('simple', f.author)) w
  order by 2, 3
  on conflict do nothing
),
queued as (
  insert into memory_tasks (owner_id, engine, seq)
  select $1, e.engine, m.seq from inserted m cross join jsonb_array_elements_text($5::jsonb) as e(engine)
  where m.superseded_by is null
),
counted as (
  insert into memory_stats as s (owner_id, memory_count, word_count, languages)
  select $1, count(*) filter (where superseded_by is null),
    (select coalesce(sum(frequency), 0) from posted), (
      select coalesce(jsonb_object_agg(language, count), '{}')
      from (select language, count(*) from inserted where superseded_by is null group by language) l
    )
  from inserted having count(*) > 0
  on conflict (owner_id) do update set
    memory_count = s.memory_count + excluded.memory_count,
    word_count = s.word_count + excluded.word_count,
    languages = s.languages || (
      select coalesce(jsonb_object_agg(key, value::bigint + coalesce((s.languages->>key)::bigint, 0)), '{}')
      from jsonb_each_text(excluded.languages)
    )
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
  engines: readonly string[],
): Promise<Map<number, StoredMemory>> => {
  const stored = await query<
    { ordinality: number; deduplicated: boolean } & Record<string, unknown>
  >(INSERT, [
    owner.ownerId,
    owner.userId,
    owner.orgId,
    JSON.stringify(rows),
    JSON.stringify(engines),
  ])
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
