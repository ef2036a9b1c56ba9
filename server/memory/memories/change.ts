import type { Database, Query } from '../../platform/db/database.ts'
import type { NewMemory } from './insert.ts'
import { languageOf, MAIN_LANGUAGE } from './language.ts'
import { OWNER, OWNER_IS_THERE } from './owner.ts'
import { type MemoryWithThread, withName } from './store.ts'

/** Who changes a memory. */
export interface Actor {
  kind: string
  ref: string | null
}

/** Its postings go. Expects the memory as `gone`. */
const UNPOST = (table = 'memory_postings', rows = 'unposted') => `
${rows} as materialized (
  delete from ${table} p
  using gone g, unnest(to_tsvector(g.language::regconfig, coalesce(g.search_text, g.content_text))) w
  where p.owner_id = $1 and p.term = w.lexeme and p.seq = g.seq
  returning p.*
)`
const UNPOST_PAST = UNPOST('memory_past_postings', 'unposted_past')

/** Its postings come, those of a superseded memory aside. Expects the memory as `come`. */
const POST = `
words as materialized (
  select seq, superseded_by is null as is_live, lexeme, cardinality(positions) as frequency,
    sum(cardinality(positions)) over () as length
  from come, unnest(to_tsvector(language::regconfig, coalesce(search_text, content_text)))
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

/** The engines look at it again. Expects the memory as `come`. */
const QUEUE = (engines: string, condition = '') => `
queued as (
  insert into memory_tasks as t (owner_id, engine, seq)
  select $1, e.engine, seq from come cross join jsonb_array_elements_text(${engines}::jsonb) as e(engine)
  where superseded_by is null ${condition}
  on conflict (owner_id, engine, seq) do update set revision = t.revision + 1
)`

/** `languages` is what becomes of them: a recall asks in those that are counted. */
const COUNT = (memories: string, words: string, languages = 'languages') => `
counted as (
  update memory_stats set memory_count = memory_count + ${memories},
    word_count = word_count + ${words}, languages = ${languages}
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
${QUEUE('$6')},
${NOTE('restored', 'come')}
select c.*, t.thread from come c
left join memory_threads t on t.owner_id = c.owner_id and t.thread_no = c.thread_no`

/** $2 gives way to $6, and is kept for recalls as of before. */
const SUPERSEDE = (validFrom: string, validTo: string) => `
with come as materialized (
  update memories set supersedes = $2, valid_from = ${validFrom}, updated_at = now()
  where owner_id = $1 and memory_id = $6
  returning *
),
gone as materialized (
  update memories m set superseded_by = c.memory_id, valid_to = ${validTo}, updated_at = now()
  from come c where m.owner_id = $1 and m.memory_id = $2
  returning m.*
),
${UNPOST()},
past as (insert into memory_past_postings select * from unposted),
${COUNT('- 1', `- ${sumOf('unposted')}`)},
${NOTE('superseded', 'gone')}
select c.*, t.thread from come c
left join memory_threads t on t.owner_id = c.owner_id and t.thread_no = c.thread_no`

/**
 * From the time on that the other tells of. One that was there already, and took another's place
 * before, has held since then.
 */
const SUCCEED = SUPERSEDE(
  'coalesce(valid_from, occurred_at, now())',
  'coalesce(c.occurred_at, now())',
)

/** Both have held until now, unless the other tells of a time after this one. */
const SETTLE = SUPERSEDE(
  'valid_from',
  `case when c.occurred_at > coalesce(m.valid_from, m.occurred_at, m.created_at)
    then least(c.occurred_at, now()) else now() end`,
)

/** $6 holds what changes, as JSON: a key that is not there leaves its column as it is. */
const UPDATE = `
with main_language as materialized (${MAIN_LANGUAGE}),
gone as materialized (
  select m.*, t.thread, $6::jsonb as patch from memories m
  left join memory_threads t on t.owner_id = m.owner_id and t.thread_no = m.thread_no
  where m.owner_id = $1 and m.memory_id = $2 and m.deleted_at is null
    and m.superseded_by is null
  for update of m
),
moved as (
  insert into memory_threads as t (owner_id, thread, last_position)
  select $1, patch->>'thread', coalesce((patch->>'position')::int, 1) from gone
  where patch->>'thread' is not null and patch->>'thread' is distinct from thread
  on conflict (owner_id, thread) do update set last_position =
    case when (select patch->>'position' from gone) is null then t.last_position + 1
    else greatest(t.last_position, excluded.last_position) end
  returning thread_no, last_position
),
reached as (
  update memory_threads t set last_position = greatest(t.last_position, (patch->>'position')::int)
  from gone g where t.owner_id = $1 and t.thread_no = g.thread_no and patch->>'position' is not null
    and not exists (select from moved)
),
${UNPOST()},
come as materialized (
  update memories m set
    content_text = coalesce(patch->>'content_text', m.content_text),
    content_hash = coalesce((patch->>'content_hash')::uuid, m.content_hash),
    search_text = case when patch ? 'content_text' then patch->>'search_text' else m.search_text end,
    language = case when patch ? 'languages'
      then ${languageOf("array(select jsonb_array_elements_text(patch->'languages'))", '(select language from main_language)')}
      else m.language end,
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
    position = case
      when coalesce(patch->>'thread', case when patch ? 'thread' then null else g.thread end) is null then null
      when patch->>'position' is not null then (patch->>'position')::int
      when not patch ? 'thread' or patch->>'thread' = g.thread then m.position
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
  select $1, w.lexeme, c.author from come c, unnest(to_tsvector('simple', c.author)) w
  where c.author is not null
  on conflict do nothing
),
${COUNT(
  '0',
  `${sumOf('posted')} - ${sumOf('unposted')}`,
  `languages || coalesce((
    select jsonb_build_object(c.language, coalesce((languages->>c.language)::bigint, 0)
      + case when c.language = g.language then 0 else 1 end)
    from come c, gone g
  ), '{}')`,
)},
${QUEUE('$7', "and (select patch - '{tags,importance}'::text[] <> '{}' from gone)")},
${NOTE(
  'updated',
  'gone',
  `jsonb_build_object('content_text', content_text, 'memory_type', memory_type,
    'importance', importance, 'tags', to_jsonb(tags), 'thread', thread, 'position', position,
    'author', author,
    'agent_slug', agent_slug, 'metadata', metadata, 'occurred_at', occurred_at)`,
)}
select c.*, case when g.patch ? 'thread' then g.patch->>'thread' else g.thread end as thread
from come c, gone g`

const LOCK = `
with ${OWNER}
select from memories where owner_id = $1 and memory_id = $2 and ${OWNER_IS_THERE} for update`

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
    await query(LOCK, [ownerId, memoryId])
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
  engines: readonly string[],
): Promise<MemoryWithThread | undefined> => {
  const params = [...event(actor), JSON.stringify(engines)]
  const [row] = await change(database, RESTORE, ownerId, memoryId, params)
  return row && withName(row)
}

/** @returns the memory as it is now, if it is there. @throws when its content is taken. */
export const updateMemory = async (
  database: Database,
  ownerId: string,
  memoryId: string,
  actor: Actor,
  patch: Partial<NewMemory>,
  engines: readonly string[],
): Promise<MemoryWithThread | undefined> => {
  const params = [...event(actor), JSON.stringify(patch), JSON.stringify(engines)]
  const [row] = await change(database, UPDATE, ownerId, memoryId, params)
  return row && withName(row)
}

/**
 * Locks memories that are to be superseded, in one order, and tells how they stand.
 * @returns those that are there: which of them were superseded before, and when each was changed last.
 */
export const lockForSupersession = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<Map<string, { isSuperseded: boolean; updatedAt: Date }>> => {
  const rows = await query<{ memory_id: string; superseded: boolean; updated_at: string | Date }>(
    `with ${OWNER}
    select memory_id, superseded_by is not null as superseded, updated_at from memories
    where owner_id = $1 and deleted_at is null and ${OWNER_IS_THERE}
      and memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))
    order by memory_id for update`,
    [ownerId, JSON.stringify(memoryIds)],
  )
  return new Map(
    rows.map(({ memory_id, superseded, updated_at }) => [
      memory_id,
      { isSuperseded: superseded, updatedAt: new Date(updated_at) },
    ]),
  )
}

/** @returns the memory that took the other's place, as it is now. */
export const supersedeMemory = async (
  query: Query,
  ownerId: string,
  actor: Actor,
  superseded: string,
  by: string,
): Promise<MemoryWithThread> => {
  const [row] = await query(SUCCEED, [ownerId, superseded, ...event(actor), by])
  if (!row) throw new Error('a memory that was just written is not there')
  return withName(row)
}

/** Lets a memory give way to one that was held beside it, and contradicted it. */
export const settleMemory = async (
  query: Query,
  ownerId: string,
  actor: Actor,
  superseded: string,
  by: string,
): Promise<void> => {
  await query(SETTLE, [ownerId, superseded, ...event(actor), by])
}

const event = (actor: Actor) => [Bun.randomUUIDv7(), actor.kind, actor.ref]
