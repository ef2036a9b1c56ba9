import { TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import {
  addHistory,
  changeMemory,
  changeValues,
  type MemoryChange,
  queueTasks,
  removeVectors,
  updateStats,
} from './change-parts-store.ts'
import type { NewMemory } from './insert-store.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'
import { languagesOn, type MemoryWithThread, memoryFromRow } from './store.ts'
import type { MemoryRow } from './table.ts'
import { withTerms } from './terms.ts'

const REMOVED = `
removed as materialized (
  select m.*, :patch::jsonb as patch, (
    select thread from memory_threads t where t.owner_id = :ownerId and t.thread_no = m.thread_no
  ) as thread
  from memories m
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
    case when :patch::jsonb->>'position' is null then t.last_position + 1
    else greatest(t.last_position, excluded.last_position) end
  returning thread_no, last_position
),
extended_thread as (
  update memory_threads t set last_position = greatest(t.last_position, (patch->>'position')::int)
  from removed r where t.owner_id = :ownerId and t.thread_no = r.thread_no
    and patch->>'position' is not null and not exists (select from new_thread)
)`

/** Highest first. */
const LEVELS = `array[${TRUST_LEVELS.map((level) => `'${level}'`).join(', ')}]`

/**
 * The trust of new content: that of its editor. An editor below a user raises the trust of no text.
 *
 * Computed apart from the update: Citus accepts only immutable functions in its expressions.
 */
const CHANGED = `
changed as materialized (
  select
    coalesce(patch->>'content_text', content_text) as content_text,
    coalesce((patch->>'content_hash')::uuid, content_hash) as content_hash,
    coalesce(patch->>'language', language) as language,
    coalesce(patch->>'terms', terms) as terms,
    coalesce((patch->>'terms_version')::smallint, terms_version) as terms_version,
    coalesce((patch->>'asks')::boolean, asks) as asks,
    coalesce((patch->>'ends_asking')::boolean, ends_asking) as ends_asking,
    coalesce(patch->>'memory_type', memory_type) as memory_type,
    coalesce((patch->>'importance')::float8, importance) as importance,
    case when patch ? 'tags'
      then array(select jsonb_array_elements_text(patch->'tags')) else tags end as tags,
    case when patch ? 'folded_tags'
      then nullif(array(select jsonb_array_elements_text(patch->'folded_tags')), '{}')
      else folded_tags end as folded_tags,
    coalesce(patch->'metadata', metadata) as metadata,
    case
      when not patch ? 'trust' or patch->>'content_text' = content_text then trust
      when patch->>'trust' = 'user' then 'user'
      else (${LEVELS})[greatest(array_position(${LEVELS}, trust), array_position(${LEVELS}, patch->>'trust'))]
    end as trust,
    case when not patch ? 'timezone' or patch->>'content_text' = content_text then timezone
      else patch->>'timezone' end as timezone,
    case when patch ? 'author' then patch->>'author' else author end as author,
    case when patch ? 'author' then patch->>'folded_author' else folded_author end as folded_author,
    case when patch ? 'agent_slug' then patch->>'agent_slug' else agent_slug end as agent_slug,
    case when patch ? 'project' then patch->>'project' else project end as project,
    case when patch ? 'occurred_at'
      then (patch->>'occurred_at')::timestamptz else occurred_at end as occurred_at,
    case when not patch ? 'thread' or patch->>'thread' = thread then thread_no
      else coalesce((select thread_no from new_thread), 0) end as thread_no,
    case
      when coalesce(patch->>'thread', case when patch ? 'thread' then null else thread end) is null then null
      when patch->>'position' is not null then (patch->>'position')::int
      when not patch ? 'thread' or patch->>'thread' = thread then position
      else (select last_position from new_thread) end as position
  from removed
)`

const ADDED = `
added as materialized (
  update memories m set
    content_text = c.content_text, content_hash = c.content_hash, language = c.language,
    terms = c.terms, terms_version = c.terms_version, asks = c.asks, ends_asking = c.ends_asking,
    memory_type = c.memory_type, importance = c.importance, tags = c.tags,
    folded_tags = c.folded_tags, folded_author = c.folded_author, metadata = c.metadata,
    author = c.author, agent_slug = c.agent_slug, project = c.project, trust = c.trust, timezone = c.timezone,
    occurred_at = c.occurred_at, thread_no = c.thread_no, position = c.position, updated_at = now()
  from changed c
  where m.owner_id = :ownerId and m.memory_id = :memoryId
  returning m.*
)`

const COUNT_UPDATED = updateStats({
  memories: '0',
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
    'agent_slug', agent_slug, 'project', project, 'metadata', metadata, 'occurred_at', occurred_at)`

/** `:patch` is JSON of the columns that change. */
const UPDATE = `
with ${REMOVED.trimStart()},
${MOVE_THREAD},
${removeVectors("and r.patch ? 'content_text'")},
${CHANGED},
${ADDED},
${COUNT_UPDATED},
${queueTasks("and (select patch - '{tags,folded_tags,importance}'::text[] <> '{}' from removed)")},
${addHistory('updated', 'removed', BEFORE)}
select a.*, case when r.patch ? 'thread' then r.patch->>'thread' else r.thread end as thread
from added a, removed r`

const LOCK_UNCHANGED = `
with ${lockOwner(':ownerId')}
select tags, importance, project, trust from memories
where owner_id = :ownerId and memory_id = :memoryId and content_text = :content and deleted_at is null
  and superseded_by is null and ${OWNER_EXISTS}
for update`

/** Locks a live memory within a transaction, unless its text has changed. */
export const lockUnchanged = async (
  query: Query,
  ownerId: string,
  memoryId: string,
  content: string,
): Promise<Pick<MemoryRow, 'tags' | 'importance' | 'project' | 'trust'> | undefined> => {
  const [row] = await namedQuery<Pick<MemoryRow, 'tags' | 'importance' | 'project' | 'trust'>>(
    query,
    LOCK_UNCHANGED,
    { ownerId, memoryId, content },
  )
  return row
}

const patchWithTerms = async (
  query: Query,
  ownerId: string,
  { content_text, languages, ...patch }: Partial<NewMemory>,
) => {
  if (content_text === undefined) return patch
  const [changed] = await withTerms(languagesOn(query), ownerId, [
    { content_text, languages: languages ?? [] },
  ])
  return { ...patch, ...changed }
}

/**
 * Changes a live memory, within a transaction.
 * @returns the memory after the change, if it exists.
 * @throws a unique violation when another memory has the same content.
 */
export const updateMemory = async (
  query: Query,
  change: MemoryChange,
  patch: Partial<NewMemory>,
  engines: readonly string[],
): Promise<MemoryWithThread | undefined> => {
  const [row] = await changeMemory(query, UPDATE, {
    ...changeValues(change),
    patch: JSON.stringify(await patchWithTerms(query, change.ownerId, patch)),
    engines: JSON.stringify(engines),
  })
  return row && memoryFromRow(row)
}
