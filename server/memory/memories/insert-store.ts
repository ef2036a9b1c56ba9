import {
  DEFAULT_IMPORTANCE,
  type Remembered,
  type Trust,
} from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { freeLockCondition, sharedLockCondition } from '../../platform/db/locks.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { logChanges, logChangesOfOwners } from './change-parts-store.ts'
import { SHOWN_COLUMNS, type ShownMemory, shownFromRow } from './store.ts'
import type { WithTerms } from './terms.ts'

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

const ROW_COLUMNS = {
  memory_id: 'uuid',
  content_text: 'text',
  content_hash: 'uuid',
  earlier_hash: 'uuid',
  language: 'text',
  terms: 'text',
  terms_version: 'smallint',
  asks: 'boolean',
  ends_asking: 'boolean',
  memory_type: 'text',
  importance: 'float8',
  tags: 'text[]',
  folded_tags: 'text[]',
  thread: 'text',
  given_position: 'int',
  author: 'text',
  folded_author: 'text',
  agent_slug: 'text',
  given_project: 'text',
  source_kind: 'text',
  source_ref: 'text',
  trust: 'text',
  capture_key: 'uuid',
  metadata: 'jsonb',
  occurred_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  valid_from: 'timestamptz',
  valid_to: 'timestamptz',
  supersedes: 'uuid',
  superseded_by: 'uuid',
  timezone: 'text',
}
const OWNER_COLUMNS = { owner_id: 'uuid', user_id: 'uuid', org_id: 'uuid' }

interface Scope {
  /** The columns of the rows that name their owner and writer, and expressions that select them otherwise. */
  columns: Record<string, string>
  selected: string
  /** The owner of a row of a CTE: a constant where there is one owner, by which Citus finds the node. */
  owner(row: string): string
  /** CTEs that lock the users who write, and then their organizations, until the end. */
  writers: string
  logged: string
}

const ONE_OWNER: Scope = {
  columns: {},
  selected: ', :ownerId::uuid as owner_id, :userId::uuid as user_id, :orgId::uuid as org_id',
  owner: () => ':ownerId',
  writers: `
writer as materialized (
  select id, timezone from users where id = :userId and ${sharedLockCondition('id')} for key share
),
organization as materialized (
  select id from orgs
  where id = :orgId and exists (select from writer) and ${sharedLockCondition('id')} for key share
)`,
  logged: logChanges('inserted'),
}

/** The longest that a statement for several owners waits for the lock of one of them. */
const LOCK_WAIT = '200ms'

/** It waits for none that is being deleted: the rows of its writers are missing from the result. */
const SEVERAL_OWNERS: Scope = {
  columns: OWNER_COLUMNS,
  selected: '',
  owner: (row) => `${row}.owner_id`,
  writers: `
limited as materialized (select set_config('lock_timeout', '${LOCK_WAIT}', true)),
writer as materialized (
  select u.* from limited cross join (select distinct user_id from input order by 1) w cross join lateral (
    select id, timezone from users
    where id = w.user_id and ${freeLockCondition('id')} limit 1 for key share skip locked
  ) u
),
organization as materialized (
  select o.* from (
    select distinct org_id from input where user_id in (select id from writer) order by 1
  ) w cross join lateral (
    select id from orgs
    where id = w.org_id and ${freeLockCondition('id')} limit 1 for key share skip locked
  ) o
)`,
  logged: logChangesOfOwners('inserted'),
}

/**
 * Memories, threads and statistics in one statement, and so in one transaction and one round
 * trip. Threads are locked in the order of their owners and names, memories without a thread in the order of their
 * owners and hashes, and the statistics last, so that two batches cannot deadlock.
 *
 * The statement does not see the same content of a writer that commits while it waits: those rows are
 * missing from the result, and the caller runs it again.
 */
const insertStatement = ({ columns, selected, owner, writers, logged }: Scope): string => {
  const all = { ...ROW_COLUMNS, ...columns }
  const names = Object.keys(all).join(', ')
  const types = Object.entries(all)
    .map(([name, type]) => `${name.replace(/^given_/, '')} ${type}`)
    .join(', ')
  return `
with input as materialized (
  -- A project that was merged into another one stays merged.
  select r.*${selected}, coalesce((
    select a.project from memory_project_aliases a
    where a.owner_id = ${owner('r')} and a.alias = r.given_project
  ), r.given_project) as project
  from rows from (jsonb_to_recordset(:rows::jsonb) as (${types})) with ordinality as r(${names}, ordinality)
),
existing as materialized (
  select i.ordinality, i.owner_id, m.memory_id
  from input i
  left join memory_threads t on t.owner_id = ${owner('i')} and t.thread = i.thread
  -- A lookup for each row, whatever the planner expects: it might read all memories of the owner.
  cross join lateral (
    select memory_id from memories
    where owner_id = ${owner('i')} and content_hash = any(array[i.content_hash, i.earlier_hash])
      and thread_no = case when i.thread is null then 0 else t.thread_no end
      and coalesce(project, '') = coalesce(i.project, '')
      and deleted_at is null and superseded_by is null
    limit 1
  ) m
  where i.superseded_by is null and i.capture_key is null
  union all
  -- A captured message is stored once, also when it was changed, superseded or deleted since.
  select i.ordinality, i.owner_id, m.memory_id
  from input i
  cross join lateral (
    select memory_id from memories where owner_id = ${owner('i')} and capture_key = i.capture_key limit 1
  ) m
  where i.capture_key is not null
),
-- A user or an organization that is being deleted writes nothing any more.
${writers},
fresh as materialized (
  select i.*, row_number() over (partition by i.owner_id, i.thread, i.given_position is null order by i.ordinality) as place
  from (
    -- The same content may have been superseded many times.
    select distinct on (owner_id, thread, content_hash, project, past_id) * from (
      select *, case when superseded_by is not null then memory_id end as past_id from input
    ) i
    where ordinality not in (select ordinality from existing) and user_id in (select id from writer)
      and (org_id is null or org_id in (select id from organization))
    order by owner_id, thread, content_hash, project, past_id, ordinality
  ) i
),
-- The threads are extended or created, and each memory gets its position.
reached as materialized (
  select owner_id, thread, coalesce(max(given_position), 0) as given, count(*) filter (where given_position is null) as appended
  from fresh where thread is not null group by owner_id, thread
),
extended_threads as (
  update memory_threads t set last_position = r.appended + greatest(t.last_position, r.given)
  from reached r
  where t.owner_id = ${owner('r')} and t.thread = r.thread
    -- Locked in the order of their names. The array makes this a lookup for each, whatever the planner expects.
    and t.thread_no = any(array(
      select m.thread_no from (select owner_id, thread from reached order by owner_id, thread) n cross join lateral (
        select thread_no from memory_threads where owner_id = ${owner('n')} and thread = n.thread limit 1 for update
      ) m
    ))
  returning t.owner_id, t.thread_no, t.thread, t.last_position
),
new_threads as (
  insert into memory_threads (owner_id, thread, last_position)
  select ${owner('r')}, thread, given + appended from reached r
  where (owner_id, thread) not in (select owner_id, thread from extended_threads) order by owner_id, thread
  on conflict (owner_id, thread) do nothing
  returning owner_id, thread_no, thread, last_position
),
threads as materialized (select * from extended_threads union all select * from new_threads),
placed as (
  select f.*, coalesce(t.thread_no, 0) as thread_no,
    case when t.thread_no is null then null else coalesce(f.given_position, t.last_position
      - count(*) over (partition by f.owner_id, f.thread, f.given_position is null) + f.place) end as position
  from fresh f left join threads t on t.owner_id = f.owner_id and t.thread = f.thread
  -- Another writer creates the thread at this moment.
  where f.thread is null or t.thread_no is not null
),
followed as (
  select p.*, thread_no <> 0 and coalesce(
    case when lag(position) over thread = position - 1 then lag(asks) over thread else (
      select m.asks from memories m
      where m.owner_id = ${owner('p')} and m.thread_no = p.thread_no and m.position = p.position - 1
        and m.deleted_at is null
      order by m.seq desc limit 1
    ) end, false) as follows_question
  from placed p window thread as (partition by owner_id, thread_no order by position)
),
inserted as (
  insert into memories (
    owner_id, memory_id, user_id, org_id, content_text, content_hash, language, terms, terms_version,
    asks, ends_asking, follows_question, memory_type, importance, tags, folded_tags, thread_no, position, author, folded_author, agent_slug, project, source_kind,
    source_ref, trust, capture_key, metadata, occurred_at, created_at, updated_at, valid_from, valid_to, supersedes,
    superseded_by, timezone
  )
  select ${owner('f')}, memory_id, user_id, org_id, content_text, content_hash, language, terms,
    terms_version, asks, ends_asking, follows_question, memory_type,
    coalesce(importance, ${DEFAULT_IMPORTANCE}), tags, nullif(folded_tags, '{}'), thread_no, position, author, folded_author, agent_slug, project, source_kind,
    source_ref, trust, capture_key, metadata, occurred_at, coalesce(created_at, now()),
    coalesce(updated_at, created_at, now()), valid_from, valid_to, supersedes, superseded_by,
    coalesce(f.timezone, (select w.timezone from writer w where w.id = f.user_id))
  from followed f order by case when thread_no = 0 then owner_id end nulls last,
    case when thread_no = 0 then content_hash end nulls last, ordinality
  on conflict (owner_id, thread_no, content_hash, coalesce(project, ''))
    where deleted_at is null and superseded_by is null do nothing
  returning *
),
queued as (
  insert into memory_tasks (owner_id, engine, seq)
  select ${owner('m')}, e.engine, m.seq
  from inserted m cross join jsonb_array_elements_text(:engines::jsonb) as e(engine)
  where m.superseded_by is null
),
-- Statistics, which all writers of an owner lock last.
stats as (
  insert into memory_stats as s (
    owner_id, memory_count, languages, change_count
  )
  select ${owner('m')}, count(*) filter (where superseded_by is null), (
      select coalesce(jsonb_object_agg(language, count), '{}')
      from (
        select language, count(*) from inserted o where o.owner_id = m.owner_id and superseded_by is null group by language
      ) l
    ), count(*)
  from inserted m group by m.owner_id order by m.owner_id
  on conflict (owner_id) do update set
    memory_count = s.memory_count + excluded.memory_count,
    languages = s.languages || (
      select coalesce(jsonb_object_agg(key, value::bigint + coalesce((s.languages->>key)::bigint, 0)), '{}')
      from jsonb_each_text(excluded.languages)
    ),
    change_count = s.change_count + excluded.change_count
  returning owner_id, change_count
),
${logged}
select i.ordinality::int as ordinality, false as deduplicated, i.thread, ${SHOWN_COLUMNS}
from inserted m join placed i on i.owner_id = m.owner_id and i.memory_id = m.memory_id
union all
select e.ordinality::int, true, t.thread, ${SHOWN_COLUMNS}
from existing e
join memories m on m.owner_id = ${owner('e')} and m.memory_id = e.memory_id
left join memory_threads t on t.owner_id = ${owner('e')} and t.thread_no = m.thread_no
order by 1`
}

const INSERT_OF_ONE = insertStatement(ONE_OWNER)
const INSERT_OF_SEVERAL = insertStatement(SEVERAL_OWNERS)

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

/** Memories that one user writes, with their terms. */
export interface MemoryWrite {
  owner: MemoryOwner
  rows: WithTerms<NewMemory>[]
}

/** The memory of each index of the rows, stored now or before. */
export type InsertedMemories = Map<number, StoredMemory>

/**
 * Stores each memory once, also where several users write, by one statement.
 * @returns the memories of each write. An index is missing when the same content is earlier in its rows, was
 * written by another writer at this moment, or the writer was deleted; among several writes, also when the same
 * content is in an earlier one, or the writer is being deleted.
 */
export const insertMemories = async (
  query: Query,
  writes: readonly MemoryWrite[],
  engines: readonly string[],
): Promise<InsertedMemories[]> => {
  const [first] = writes
  const isOfOne = writes.length === 1
  const places = writes.flatMap(({ rows }, write) => rows.map((_, index) => ({ write, index })))
  const rows = writes.flatMap(({ owner, rows }) =>
    rows.map((row) => ({
      ...row,
      timezone: row.timezone ?? owner.timezone,
      ...(!isOfOne && { owner_id: owner.ownerId, user_id: owner.userId, org_id: owner.orgId }),
    })),
  )
  const stored = await namedQuery<
    { ordinality: number; deduplicated: boolean } & Record<string, unknown>
  >(query, isOfOne ? INSERT_OF_ONE : INSERT_OF_SEVERAL, {
    ...first?.owner,
    rows: JSON.stringify(rows),
    engines: JSON.stringify(engines),
  })
  const inserted = writes.map((): InsertedMemories => new Map())
  for (const { ordinality, deduplicated, ...row } of stored) {
    const place = places[ordinality - 1]
    if (place) inserted[place.write]?.set(place.index, { memory: shownFromRow(row), deduplicated })
  }
  return inserted
}
