import {
  DEFAULT_IMPORTANCE,
  type Remembered,
  type Trust,
} from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { sharedLockCondition } from '../../platform/db/locks.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { logChanges } from './change-parts-store.ts'
import { SHOWN_COLUMNS, type ShownMemory, shownFromRow } from './store.ts'
import { withTerms } from './terms.ts'

/** The columns of a new memory. */
export interface NewMemory {
  memory_id: string
  content_text: string
  content_hash: string
  /** The hash that an earlier version gave to the content, where it is another one. */
  earlier_hash?: string | undefined
  /**
   * The languages that it may be written in, likeliest first. The main language of the owner's memories is
   * preferred, and used when the list is empty.
   */
  languages: string[]
  asks: boolean
  ends_asking: boolean
  memory_type: string
  /** Null: not given. */
  importance: number | null
  tags: string[]
  /** Empty: as `tags`. */
  folded_tags: string[]
  thread: string | null
  /** In its thread; null: after the last. */
  position: number | null
  author: string | null
  folded_author: string | null
  agent_slug: string | null
  project: string | null
  source_kind: string
  source_ref: string | null
  trust: Trust
  metadata: Record<string, unknown>
  /** Default: that of the writer. */
  timezone?: string | null
  /** See the column. */
  capture_key?: string | null
  occurred_at: string | null
  /** Set for an imported memory; otherwise now. */
  created_at?: string | null
  updated_at?: string | null
  valid_from?: string | null
  valid_to?: string | null
  supersedes?: string | null
  superseded_by?: string | null
}

/**
 * Memories, threads and statistics in one statement, and so in one transaction and one round
 * trip. Threads are locked in the order of their names, memories without a thread in the order of their
 * hashes, and the statistics last, so that two batches cannot deadlock.
 *
 * The statement does not see the same content of a writer that commits while it waits: those rows are
 * missing from the result, and the caller runs it again.
 */
const INSERT = `
with input as materialized (
  -- A project that was merged into another one stays merged.
  select r.*, coalesce((
    select a.project from memory_project_aliases a
    where a.owner_id = :ownerId and a.alias = r.given_project
  ), r.given_project) as project
  from rows from (jsonb_to_recordset(:rows::jsonb) as (
    memory_id uuid, content_text text, content_hash uuid, earlier_hash uuid, language text, terms text, terms_version smallint,
    asks boolean, ends_asking boolean, memory_type text, importance float8, tags text[],
    folded_tags text[], thread text, position int, author text, folded_author text, agent_slug text, project text, source_kind text, source_ref text, trust text, capture_key uuid, metadata jsonb,
    occurred_at timestamptz, created_at timestamptz, updated_at timestamptz, valid_from timestamptz,
    valid_to timestamptz, supersedes uuid, superseded_by uuid, timezone text
  )) with ordinality as r(
    memory_id, content_text, content_hash, earlier_hash, language, terms, terms_version, asks, ends_asking, memory_type,
    importance, tags, folded_tags, thread, given_position, author, folded_author, agent_slug, given_project, source_kind, source_ref, trust, capture_key,
    metadata, occurred_at, created_at, updated_at, valid_from, valid_to, supersedes, superseded_by, timezone, ordinality
  )
),
existing as materialized (
  select i.ordinality, m.memory_id
  from input i
  left join memory_threads t on t.owner_id = :ownerId and t.thread = i.thread
  -- A lookup for each row, whatever the planner expects: it might read all memories of the owner.
  cross join lateral (
    select memory_id from memories
    where owner_id = :ownerId and content_hash = any(array[i.content_hash, i.earlier_hash])
      and thread_no = case when i.thread is null then 0 else t.thread_no end
      and coalesce(project, '') = coalesce(i.project, '')
      and deleted_at is null and superseded_by is null
    limit 1
  ) m
  where i.superseded_by is null and i.capture_key is null
  union all
  -- A captured message is stored once, also when it was changed, superseded or deleted since.
  select i.ordinality, m.memory_id
  from input i
  cross join lateral (
    select memory_id from memories where owner_id = :ownerId and capture_key = i.capture_key limit 1
  ) m
  where i.capture_key is not null
),
-- A user that is being deleted writes nothing any more.
writer as materialized (select timezone from users where id = :userId and ${sharedLockCondition('id')} for key share),
-- Nor is anything written for an organization that is being deleted.
organization as materialized (
  select 1 as found from orgs where id = :orgId and exists (select from writer) and ${sharedLockCondition('id')} for key share
),
fresh as materialized (
  select i.*, row_number() over (partition by i.thread, i.given_position is null order by i.ordinality) as place
  from (
    -- The same content may have been superseded many times.
    select distinct on (thread, content_hash, project, past_id) * from (
      select *, case when superseded_by is not null then memory_id end as past_id from input
    ) i
    where ordinality not in (select ordinality from existing) and exists (select from writer)
      and (:orgId::uuid is null or exists (select from organization))
    order by thread, content_hash, project, past_id, ordinality
  ) i
),
-- The threads are extended or created, and each memory gets its position.
reached as materialized (
  select thread, coalesce(max(given_position), 0) as given, count(*) filter (where given_position is null) as appended
  from fresh where thread is not null group by thread
),
extended_threads as (
  update memory_threads t set last_position = r.appended + greatest(t.last_position, r.given)
  from reached r
  where t.owner_id = :ownerId and t.thread = r.thread
    -- Locked in the order of their names. The array makes this a lookup for each, whatever the planner expects.
    and t.thread_no = any(array(
      select m.thread_no from (select thread from reached order by thread) n cross join lateral (
        select thread_no from memory_threads where owner_id = :ownerId and thread = n.thread limit 1 for update
      ) m
    ))
  returning t.thread_no, t.thread, t.last_position
),
new_threads as (
  insert into memory_threads (owner_id, thread, last_position)
  select :ownerId, thread, given + appended from reached
  where thread not in (select thread from extended_threads) order by thread
  on conflict (owner_id, thread) do nothing
  returning thread_no, thread, last_position
),
threads as materialized (select * from extended_threads union all select * from new_threads),
placed as (
  select f.*, coalesce(t.thread_no, 0) as thread_no,
    case when t.thread_no is null then null else coalesce(f.given_position, t.last_position
      - count(*) over (partition by f.thread, f.given_position is null) + f.place) end as position
  from fresh f left join threads t on t.thread = f.thread
  -- Another writer creates the thread at this moment.
  where f.thread is null or t.thread_no is not null
),
followed as (
  select p.*, thread_no <> 0 and coalesce(
    case when lag(position) over thread = position - 1 then lag(asks) over thread else (
      select m.asks from memories m
      where m.owner_id = :ownerId and m.thread_no = p.thread_no and m.position = p.position - 1
        and m.deleted_at is null
      order by m.seq desc limit 1
    ) end, false) as follows_question
  from placed p window thread as (partition by thread_no order by position)
),
inserted as (
  insert into memories (
    owner_id, memory_id, user_id, org_id, content_text, content_hash, language, terms, terms_version,
    asks, ends_asking, follows_question, memory_type, importance, tags, folded_tags, thread_no, position, author, folded_author, agent_slug, project, source_kind,
    source_ref, trust, capture_key, metadata, occurred_at, created_at, updated_at, valid_from, valid_to, supersedes,
    superseded_by, timezone
  )
  select :ownerId, memory_id, :userId, :orgId, content_text, content_hash, language, terms,
    terms_version, asks, ends_asking, follows_question, memory_type,
    coalesce(importance, ${DEFAULT_IMPORTANCE}), tags, nullif(folded_tags, '{}'), thread_no, position, author, folded_author, agent_slug, project, source_kind,
    source_ref, trust, capture_key, metadata, occurred_at, coalesce(created_at, now()),
    coalesce(updated_at, created_at, now()), valid_from, valid_to, supersedes, superseded_by,
    coalesce(timezone, :timezone, (select timezone from writer))
  from followed order by case when thread_no = 0 then content_hash end nulls last, ordinality
  on conflict (owner_id, thread_no, content_hash, coalesce(project, ''))
    where deleted_at is null and superseded_by is null do nothing
  returning *
),
queued as (
  insert into memory_tasks (owner_id, engine, seq)
  select :ownerId, e.engine, m.seq
  from inserted m cross join jsonb_array_elements_text(:engines::jsonb) as e(engine)
  where m.superseded_by is null
),
-- Statistics, which all writers of an owner lock last.
stats as (
  insert into memory_stats as s (
    owner_id, memory_count, languages, change_count
  )
  select :ownerId, count(*) filter (where superseded_by is null), (
      select coalesce(jsonb_object_agg(language, count), '{}')
      from (select language, count(*) from inserted where superseded_by is null group by language) l
    ), count(*)
  from inserted having count(*) > 0
  on conflict (owner_id) do update set
    memory_count = s.memory_count + excluded.memory_count,
    languages = s.languages || (
      select coalesce(jsonb_object_agg(key, value::bigint + coalesce((s.languages->>key)::bigint, 0)), '{}')
      from jsonb_each_text(excluded.languages)
    ),
    change_count = s.change_count + excluded.change_count
  returning change_count
),
${logChanges('inserted')}
select i.ordinality::int as ordinality, false as deduplicated, i.thread, ${SHOWN_COLUMNS}
from inserted m join placed i on i.memory_id = m.memory_id
union all
select e.ordinality::int, true, t.thread, ${SHOWN_COLUMNS}
from existing e
join memories m on m.owner_id = :ownerId and m.memory_id = e.memory_id
left join memory_threads t on t.owner_id = :ownerId and t.thread_no = m.thread_no
order by 1`

export interface StoredMemory {
  memory: ShownMemory
  deduplicated: boolean
  /** The tags and importance that a memory stored before got from the row. */
  added?: Remembered['added']
}

/** The user who writes, and whose memories they become. */
export interface MemoryOwner {
  ownerId: string
  userId: string
  orgId: string | null
  /** In which the texts are written. Default: that of the user's latest request. */
  timezone?: string | undefined
}

/**
 * Stores each memory once.
 * @returns the memory of each index of `rows`, stored now or before. An index is missing when the same
 * content is earlier in `rows`, was written by another writer at this moment, or the writer was deleted.
 */
export const insertMemories = async (
  query: Query,
  owner: MemoryOwner,
  rows: NewMemory[],
  engines: readonly string[],
): Promise<Map<number, StoredMemory>> => {
  const stored = await namedQuery<
    { ordinality: number; deduplicated: boolean } & Record<string, unknown>
  >(query, INSERT, {
    ...owner,
    timezone: owner.timezone ?? null,
    rows: JSON.stringify(await withTerms(query, owner.ownerId, rows)),
    engines: JSON.stringify(engines),
  })
  return new Map(
    stored.map((row) => [
      row.ordinality - 1,
      { memory: shownFromRow(row), deduplicated: row.deduplicated },
    ]),
  )
}
