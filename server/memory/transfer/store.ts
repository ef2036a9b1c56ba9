import type { Query } from '../../platform/db/database.ts'
import { jsonRows } from '../../platform/db/statements.ts'
import { lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'
import { type MemoryWithThread, memoryFromRow } from '../memories/store.ts'

/** Makes a transaction read one snapshot of the database. */
export const useSnapshot = (query: Query) =>
  query('set transaction isolation level repeatable read, read only', [])

/** The next page of memories by id, which is chronological, with superseded ones. */
export const listExportPage = async (
  query: Query,
  ownerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<MemoryWithThread[]> => {
  const rows = await query(
    `select m.*, t.thread from memories m
    left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
    where m.owner_id = $1 and m.memory_id > $2 and m.deleted_at is null
    order by m.memory_id limit $3`,
    [ownerId, after, limit],
  )
  return rows.map(memoryFromRow)
}

/** @returns those of the ids that an owner's memories have, and whether the memory was deleted. */
export const findExistingIds = async (
  query: Query,
  ownerId: string,
  ids: Iterable<string>,
): Promise<Map<string, { isForgotten: boolean }>> => {
  const rows = await query<{ memory_id: string; is_forgotten: boolean }>(
    `select m.memory_id, m.deleted_at is not null as is_forgotten
    from jsonb_array_elements_text($2::jsonb) i
    cross join lateral (
      select memory_id, deleted_at from memories
      where owner_id = $1 and memory_id = i.value::uuid limit 1
    ) m`,
    [ownerId, JSON.stringify([...ids])],
  )
  return new Map(rows.map((row) => [row.memory_id, { isForgotten: row.is_forgotten }]))
}

/** Identifies a memory by its content. */
interface MemoryFingerprint {
  content_hash: string
  thread: string | null
  project: string | null
  created_at: string | null
}

const FINGERPRINTS = `
select i.ordinality::int as place, i.content_hash, i.project, i.created_at,
  case when i.thread is null then 0 else t.thread_no end as thread_no
from rows from (jsonb_to_recordset($2::jsonb) as (
  content_hash uuid, thread text, project text, created_at timestamptz(3)
)) with ordinality as i(content_hash, thread, project, created_at, ordinality)
left join memory_threads t on t.owner_id = $1 and t.thread = i.thread`

/** Live duplicates, by the rule of `remember`: the same content in the same thread and project. */
const FIND_LIVE = `
select i.place, m.memory_id from (${FINGERPRINTS}) i
cross join lateral (
  select memory_id from memories
  where owner_id = $1 and content_hash = i.content_hash and thread_no = i.thread_no
    and coalesce(project, '') = coalesce(i.project, '')
    and deleted_at is null and superseded_by is null
  limit 1
) m`

/** Superseded duplicates: several may have the same content, so `created_at` is compared too. */
const FIND_PAST = `
with past as materialized (
  select memory_id, content_hash, thread_no, project, created_at from memories
  where owner_id = $1 and superseded_by is not null and deleted_at is null
)
select i.place, p.memory_id from (${FINGERPRINTS}) i
join past p on p.content_hash = i.content_hash and p.thread_no = i.thread_no
  and p.project is not distinct from i.project and p.created_at = i.created_at`

/** @returns the ids of duplicates, by index in `fingerprints`. */
export const findDuplicates = async (
  query: Query,
  ownerId: string,
  kind: 'live' | 'past',
  fingerprints: MemoryFingerprint[],
): Promise<Map<number, string>> => {
  const rows = await query<{ place: number; memory_id: string }>(
    kind === 'live' ? FIND_LIVE : FIND_PAST,
    [ownerId, JSON.stringify(fingerprints)],
  )
  return new Map(rows.map((row) => [row.place - 1, row.memory_id]))
}

/** A superseded memory and its successor, by their stored and their expected ids. */
export interface Supersession {
  past: string
  past_expected: string
  next: string
  next_expected: string
}

const SUPERSESSIONS = `${jsonRows('$2::jsonb', {
  past: 'uuid',
  past_expected: 'uuid',
  next: 'uuid',
  next_expected: 'uuid',
})} r`

/** Replaces expected ids in `superseded_by` and `supersedes` by stored ids. */
export const correctSupersessions = async (
  query: Query,
  ownerId: string,
  supersessions: Supersession[],
): Promise<void> => {
  const params = [ownerId, JSON.stringify(supersessions)]
  await query(
    `with ${lockOwner('$1')}
    update memories m set superseded_by = r.next from ${SUPERSESSIONS}
    where ${OWNER_EXISTS} and m.owner_id = $1 and m.memory_id = r.past and m.superseded_by = r.next_expected`,
    params,
  )
  await query(
    `with ${lockOwner('$1')}
    update memories m set supersedes = r.past from ${SUPERSESSIONS}
    join memories p on p.owner_id = $1 and p.memory_id = r.past and p.superseded_by = r.next
    where ${OWNER_EXISTS} and m.owner_id = $1 and m.memory_id = r.next
      and (m.supersedes is null or m.supersedes = r.past_expected)`,
    params,
  )
}

/** Links to replace in a memory: stored ids by ids of the file. */
export interface LinkUpdate {
  memory_id: string
  ids: Record<string, string>
}

export const updateLinks = async (
  query: Query,
  ownerId: string,
  links: LinkUpdate[],
): Promise<void> => {
  await query(
    `with ${lockOwner('$1')}
    update memories m set metadata = jsonb_set(m.metadata, '{links}', (
      select jsonb_agg(coalesce(r.ids->(link #>> '{}'), link) order by place)
      from jsonb_array_elements(m.metadata->'links') with ordinality as l(link, place)
    ))
    from ${jsonRows('$2::jsonb', { memory_id: 'uuid', ids: 'jsonb' })} r
    where ${OWNER_EXISTS} and m.owner_id = $1 and m.memory_id = r.memory_id
      and jsonb_typeof(m.metadata->'links') = 'array'`,
    [ownerId, JSON.stringify(links)],
  )
}
