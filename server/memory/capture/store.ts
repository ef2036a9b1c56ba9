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

const SESSIONS = `
select t.thread, t.thread_no, s.*
from memory_threads t
cross join lateral (
  select min(m.metadata->>'client') as client, min(m.metadata->>'session') as session,
    max(m.metadata->>'project') as project,
    count(*) filter (where m.deleted_at is null)::int as memories,
    count(*) filter (where m.deleted_at > now() - interval '30 days')::int as deleted,
    min(coalesce(m.occurred_at, m.created_at)) as first_at,
    max(coalesce(m.occurred_at, m.created_at)) as last_at
  from memories m
  where m.owner_id = t.owner_id and m.thread_no = t.thread_no and m.capture_key is not null
    and (m.deleted_at is null or m.deleted_at > now() - interval '30 days')
  having count(*) > 0
) s
where t.owner_id = $1 and strpos(t.thread, ':') > 0
  and ($2::text is null or s.client = $2)
  and ($3::timestamptz is null or (s.last_at, t.thread_no) < ($3, $4::bigint))
order by s.last_at desc, t.thread_no desc limit $5`

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
