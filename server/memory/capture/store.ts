import type { Query } from '../../platform/db/database.ts'

/** A conversation with an assistant, as its captured memories show it. */
export interface CaptureRow {
  client: string
  session: string
  thread: string
  threadNo: number
  project: string | null
  memories: number
  deleted: number
  firstAt: Date
  lastAt: Date
}

const CAPTURED = `m.owner_id = $1 and m.capture_key is not null
  and (m.deleted_at is null or m.deleted_at > now() - interval '30 days')`
const AT = 'coalesce(m.occurred_at, m.created_at)'

/**
 * Walks the captured memories from the latest on, past those of a thread that was seen: a conversation stands
 * at its last memory, and a page costs what its own conversations have, however many there are.
 */
const SESSIONS = `
with recursive walk as (
  select coalesce($3, 'infinity'::timestamptz) as at, coalesce($4, 9223372036854775807::bigint) as thread_no,
    array[]::bigint[] as seen, false as shown, 0 as found
  union all
  select n.at, n.thread_no, w.seen || n.thread_no, s.shown, w.found + s.shown::int
  from walk w
  cross join lateral (
    select ${AT} as at, m.thread_no::bigint as thread_no
    from memories m
    where ${CAPTURED} and (${AT}, m.thread_no) < (w.at, w.thread_no) and m.thread_no <> all(w.seen)
    order by ${AT} desc, m.thread_no desc limit 1
  ) n
  cross join lateral (
    select max(${AT}) = n.at and ($2::text is null or min(m.metadata->>'client') = $2) and exists (
        select from memory_threads t
        where t.owner_id = $1 and t.thread_no = n.thread_no and strpos(t.thread, ':') > 0
      ) as shown
    from memories m where ${CAPTURED} and m.thread_no = n.thread_no
  ) s
  where w.found < $5
)
select t.thread, t.thread_no, s.*
from walk w
join memory_threads t on t.owner_id = $1 and t.thread_no = w.thread_no
cross join lateral (
  select min(m.metadata->>'client') as client, min(m.metadata->>'session') as session,
    max(m.project) as project,
    count(*) filter (where m.deleted_at is null)::int as memories,
    count(*) filter (where m.deleted_at is not null)::int as deleted,
    min(${AT}) as first_at, max(${AT}) as last_at
  from memories m
  where ${CAPTURED} and m.thread_no = t.thread_no
) s
where w.shown
order by s.last_at desc, t.thread_no desc`

type Instant = string | Date

type Row = Record<'client' | 'session' | 'thread', string> & {
  thread_no: number | string
  project: string | null
  memories: number
  deleted: number
  first_at: Instant
  last_at: Instant
}

export interface CapturePage {
  client: string | undefined
  /** The last row of the page before. */
  after: { lastAt: string; threadNo: number } | undefined
  limit: number
}

/** The captured conversations of an owner, newest first. */
export const listCaptureSessions = async (
  query: Query,
  ownerId: string,
  { client, after, limit }: CapturePage,
): Promise<CaptureRow[]> => {
  const rows = await query<Row>(SESSIONS, [
    ownerId,
    client ?? null,
    after?.lastAt ?? null,
    after?.threadNo ?? null,
    limit,
  ])
  return rows.map(({ thread_no, first_at, last_at, ...row }) => ({
    ...row,
    threadNo: Number(thread_no),
    firstAt: new Date(first_at),
    lastAt: new Date(last_at),
  }))
}

export interface CapturedPlaces {
  thread: string
  sourceRef: string
  positions: number[]
}

/** The memories that a channel stored at places of a thread, also those that were deleted since. */
export const listCapturedAt = async (
  query: Query,
  ownerId: string,
  { thread, sourceRef, positions }: CapturedPlaces,
): Promise<{ memoryId: string; position: number; content: string }[]> => {
  if (positions.length === 0) return []
  const rows = await query<{ memory_id: string; position: number; content_text: string }>(
    `select m.memory_id, m.position, m.content_text
    from memory_threads t
    join memories m on m.owner_id = t.owner_id and m.thread_no = t.thread_no
    where t.owner_id = $1 and t.thread = $2 and m.source_ref = $3 and m.capture_key is not null
      and m.position = any(array(select value::int from jsonb_array_elements_text($4::jsonb)))`,
    [ownerId, thread, sourceRef, JSON.stringify(positions)],
  )
  return rows.map(({ memory_id, position, content_text }) => ({
    memoryId: memory_id,
    position: Number(position),
    content: content_text,
  }))
}
