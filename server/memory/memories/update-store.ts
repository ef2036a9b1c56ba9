import type { Query } from '../../platform/db/database.ts'
import type { Actor } from './actor.ts'
import {
  ADD_POSTINGS,
  actorValues,
  addHistory,
  changeMemory,
  queueTasks,
  REMOVE_POSTINGS,
  removeVectors,
  updateStats,
} from './change-parts-store.ts'
import type { NewMemory } from './insert-store.ts'
import { chooseLanguage, mainLanguage } from './language-store.ts'
import { wordCount } from './postings-store.ts'
import { type MemoryWithThread, memoryFromRow } from './store.ts'

const REMOVED = `
removed as materialized (
  select m.*, t.thread, :patch::jsonb as patch from memories m
  left join memory_threads t on t.owner_id = m.owner_id and t.thread_no = m.thread_no
  where m.owner_id = :ownerId and m.memory_id = :memoryId and m.deleted_at is null
    and m.superseded_by is null
  for update of m
)`

/** Creates the new thread or locks it, and moves the end of a thread behind a given position. */
const MOVE_THREAD = `
new_thread as (
  insert into memory_threads as t (owner_id, thread, last_position)
  select :ownerId, patch->>'thread', coalesce((patch->>'position')::int, 1) from removed
  where patch->>'thread' is not null and patch->>'thread' is distinct from thread
  on conflict (owner_id, thread) do update set last_position =
    case when (select patch->>'position' from removed) is null then t.last_position + 1
    else greatest(t.last_position, excluded.last_position) end
  returning thread_no, last_position
),
extended_thread as (
  update memory_threads t set last_position = greatest(t.last_position, (patch->>'position')::int)
  from removed r where t.owner_id = :ownerId and t.thread_no = r.thread_no
    and patch->>'position' is not null and not exists (select from new_thread)
)`

const ADDED = `
added as materialized (
  update memories m set
    content_text = coalesce(patch->>'content_text', m.content_text),
    content_hash = coalesce((patch->>'content_hash')::uuid, m.content_hash),
    search_text = case when patch ? 'content_text' then patch->>'search_text' else m.search_text end,
    exact_forms = case when patch ? 'exact_forms'
      then nullif(array(select jsonb_array_elements_text(patch->'exact_forms')), '{}')
      else m.exact_forms end,
    language = case when patch ? 'languages'
      then ${chooseLanguage("array(select jsonb_array_elements_text(patch->'languages'))", '(select language from main_language)')}
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
    thread_no = case when not patch ? 'thread' or patch->>'thread' = r.thread then m.thread_no
      else coalesce((select thread_no from new_thread), 0) end,
    position = case
      when coalesce(patch->>'thread', case when patch ? 'thread' then null else r.thread end) is null then null
      when patch->>'position' is not null then (patch->>'position')::int
      when not patch ? 'thread' or patch->>'thread' = r.thread then m.position
      else (select last_position from new_thread) end,
    updated_at = now()
  from removed r
  where m.owner_id = :ownerId and m.memory_id = r.memory_id
    -- The old postings must be removed before the new ones are written.
    and (select count(*) from removed_postings) >= 0
  returning m.*
)`

const COUNT_UPDATED = updateStats({
  memories: '0',
  words: `${wordCount('added_postings')} - ${wordCount('removed_postings')}`,
  signed: `select -1 as sign, author, content_text, ends_asking, follows_question, superseded_by from removed
    union all select 1, author, content_text, ends_asking, follows_question, superseded_by from added`,
  changed: 'added',
  languages: `languages || coalesce((
    select jsonb_build_object(a.language, coalesce((languages->>a.language)::bigint, 0)
      + case when a.language = r.language then 0 else 1 end)
    from added a, removed r
  ), '{}')`,
})

const BEFORE = `jsonb_build_object('content_text', content_text, 'memory_type', memory_type,
    'importance', importance, 'tags', to_jsonb(tags), 'thread', thread, 'position', position,
    'author', author,
    'agent_slug', agent_slug, 'metadata', metadata, 'occurred_at', occurred_at)`

/** `:patch` is JSON of the columns that change. */
const UPDATE = `
with main_language as materialized (${mainLanguage(':ownerId')}),
${REMOVED},
${MOVE_THREAD},
${REMOVE_POSTINGS},
${removeVectors("and r.patch ? 'content_text'")},
${ADDED},
${ADD_POSTINGS},
authors as (
  insert into memory_authors (owner_id, term, author)
  select :ownerId, w.lexeme, a.author from added a, unnest(to_tsvector('simple', a.author)) w
  where a.author is not null
  on conflict do nothing
),
${COUNT_UPDATED},
${queueTasks("and (select patch - '{tags,importance}'::text[] <> '{}' from removed)")},
${addHistory('updated', 'removed', BEFORE)}
select a.*, case when r.patch ? 'thread' then r.patch->>'thread' else r.thread end as thread
from added a, removed r`

/**
 * Changes a live memory, within a transaction; the vector of new content is the caller's to store.
 * @returns the memory after the change, if it exists.
 * @throws a unique violation when another memory has the same content.
 */
export const updateMemory = async (
  query: Query,
  ownerId: string,
  memoryId: string,
  actor: Actor,
  patch: Partial<NewMemory>,
  engines: readonly string[],
): Promise<MemoryWithThread | undefined> => {
  const [row] = await changeMemory(query, UPDATE, {
    ownerId,
    memoryId,
    ...actorValues(actor),
    patch: JSON.stringify(patch),
    engines: JSON.stringify(engines),
  })
  return row && memoryFromRow(row)
}
