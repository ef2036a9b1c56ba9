import type { Query } from '../../platform/db/database.ts'
import { OWNER, OWNER_IS_THERE } from '../memories/owner.ts'
import { type MemoryWithThread, withName } from '../memories/store.ts'

/** The oldest of those after one of them, superseded ones too; ids are in the order of time. */
export const pageOfMemories = async (
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
  return rows.map(withName)
}

/** @returns which of these ids an owner has memories under, and whether those were forgotten. */
export const findIds = async (
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

/** What a memory is known by wherever it comes from. */
export interface Likeness {
  content_hash: string
  thread: string | null
  created_at: string | null
}

const LIKENESSES = `
select i.ordinality::int as place, i.content_hash, i.created_at,
  case when i.thread is null then 0 else t.thread_no end as thread_no
from rows from (jsonb_to_recordset($2::jsonb) as (
  content_hash uuid, thread text, created_at timestamptz(3)
)) with ordinality as i(content_hash, thread, created_at, ordinality)
left join memory_threads t on t.owner_id = $1 and t.thread = i.thread`

/** Those that hold, by what `remember` knows them by: the same content in the same thread. */
const FIND_LIVE = `
select i.place, m.memory_id from (${LIKENESSES}) i
cross join lateral (
  select memory_id from memories
  where owner_id = $1 and content_hash = i.content_hash and thread_no = i.thread_no
    and deleted_at is null and superseded_by is null
  limit 1
) m`

/** Those that were superseded may be many of the same content: these were written at the same time. */
const FIND_PAST = `
with past as materialized (
  select memory_id, content_hash, thread_no, created_at from memories
  where owner_id = $1 and superseded_by is not null and deleted_at is null
)
select i.place, p.memory_id from (${LIKENESSES}) i
join past p on p.content_hash = i.content_hash and p.thread_no = i.thread_no
  and p.created_at = i.created_at`

/** @returns the ids of memories that are the same, by place in `likenesses`. */
export const findAlike = async (
  query: Query,
  ownerId: string,
  kind: 'live' | 'past',
  likenesses: Likeness[],
): Promise<Map<number, string>> => {
  const rows = await query<{ place: number; memory_id: string }>(
    kind === 'live' ? FIND_LIVE : FIND_PAST,
    [ownerId, JSON.stringify(likenesses)],
  )
  return new Map(rows.map((row) => [row.place - 1, row.memory_id]))
}

/** A memory and the one that took its place, by the ids they have and the ids they were to have. */
export interface Succession {
  past: string
  past_expected: string
  next: string
  next_expected: string
}

const SUCCESSIONS = `jsonb_to_recordset($2::jsonb) as r(
  past uuid, past_expected uuid, next uuid, next_expected uuid
)`

/** Has memories point at each other where one of them turned out to be there under another id. */
export const settleSuccessions = async (
  query: Query,
  ownerId: string,
  successions: Succession[],
): Promise<void> => {
  const params = [ownerId, JSON.stringify(successions)]
  await query(
    `with ${OWNER}
    update memories m set superseded_by = r.next from ${SUCCESSIONS}
    where ${OWNER_IS_THERE} and m.owner_id = $1 and m.memory_id = r.past and m.superseded_by = r.next_expected`,
    params,
  )
  await query(
    `with ${OWNER}
    update memories m set supersedes = r.past from ${SUCCESSIONS}
    join memories p on p.owner_id = $1 and p.memory_id = r.past and p.superseded_by = r.next
    where ${OWNER_IS_THERE} and m.owner_id = $1 and m.memory_id = r.next
      and (m.supersedes is null or m.supersedes = r.past_expected)`,
    params,
  )
}

/** Links of a memory to others that came after it, by the ids they had and the ids they have. */
export interface Relinked {
  memory_id: string
  ids: Record<string, string>
}

export const relink = async (query: Query, ownerId: string, links: Relinked[]): Promise<void> => {
  await query(
    `with ${OWNER}
    update memories m set metadata = jsonb_set(m.metadata, '{links}', (
      select jsonb_agg(coalesce(r.ids->(link #>> '{}'), link) order by place)
      from jsonb_array_elements(m.metadata->'links') with ordinality as l(link, place)
    ))
    from jsonb_to_recordset($2::jsonb) as r(memory_id uuid, ids jsonb)
    where ${OWNER_IS_THERE} and m.owner_id = $1 and m.memory_id = r.memory_id
      and jsonb_typeof(m.metadata->'links') = 'array'`,
    [ownerId, JSON.stringify(links)],
  )
}
