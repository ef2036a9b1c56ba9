import type { Query } from '../../../platform/db/database.ts'
import { jsonRows } from '../../../platform/db/statements.ts'
import type { MemoryKey } from '../../memories/backfill-store.ts'
import type { VectorModel } from '../../memories/vectors.ts'

const QUEUE_PAGE = 2_000

/**
 * Queues the memories without a vector for an engine, among the next ones after a key.
 * @returns the key to continue after; undefined at the end.
 */
export const queueMissing = async (
  query: Query,
  {
    model,
    languages,
    engine,
  }: { model: VectorModel; languages: readonly string[] | undefined; engine: string },
  after: MemoryKey,
): Promise<MemoryKey | undefined> => {
  const [last] = await query<{ owner_id: string; memory_id: string; count: number }>(
    `with page as materialized (
      select m.owner_id, m.memory_id, m.seq,
        m.deleted_at is null and m.superseded_by is null and v.seq is null
          and ($5::text[] is null or m.language = any($5::text[])) as is_missing
      from memories m
      left join memory_vectors v on v.owner_id = m.owner_id and v.seq = m.seq and v.model = $4
      where (m.owner_id, m.memory_id) > ($1::uuid, $2::uuid)
      order by m.owner_id, m.memory_id limit ${QUEUE_PAGE}
    ),
    queued as (
      insert into memory_tasks (owner_id, engine, seq)
      select owner_id, $3, seq from page where is_missing
      on conflict do nothing
    )
    select owner_id, memory_id, (select count(*)::int from page) as count
    from page order by owner_id desc, memory_id desc limit 1`,
    [after.ownerId, after.memoryId, engine, model.id, languages ? `{${languages.join()}}` : null],
  )
  return last?.count === QUEUE_PAGE
    ? { ownerId: last.owner_id, memoryId: last.memory_id }
    : undefined
}

const DELETE_PAGE = 5_000

/** Deletes some vectors of models other than this one. @returns whether there may be more. */
export const deleteOtherModels = async (query: Query, { id }: VectorModel): Promise<boolean> => {
  const rows = await query(
    `delete from memory_vectors where (owner_id, seq, model) in (
      select owner_id, seq, model from memory_vectors
      where model <> $1
      limit ${DELETE_PAGE}
    ) returning 1`,
    [id],
  )
  return rows.length === DELETE_PAGE
}

/** Whether any memory has a vector of a model. */
export const hasVectors = async (query: Query, { id }: VectorModel): Promise<boolean> =>
  (await query('select from memory_vectors where model = $1 limit 1', [id])).length > 0

const COUNTED = 10_000

/** The memories that wait for an engine, counted up to a maximum. */
export const countWaiting = async (
  query: Query,
  engine: string,
): Promise<{ count: number; isMore: boolean }> => {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from
      (select 1 from memory_tasks where engine = $1 limit ${COUNTED + 1}) waiting`,
    [engine],
  )
  const count = row?.count ?? 0
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED }
}

/** Enough of them to know the languages of a server. */
const COUNTED_OWNERS = 1_000
/** The language of a text of no known language. */
const NO_LANGUAGE = 'simple'

/** The number of memories by language, of some owners. */
export const countLanguages = async (
  query: Query,
): Promise<{ language: string; count: number }[]> =>
  (
    await query<{ language: string; count: string }>(
      `select key as language, sum(value::bigint) as count
      from (select languages from memory_stats limit ${COUNTED_OWNERS}) stats,
        jsonb_each_text(languages)
      where key <> $1 group by key`,
      [NO_LANGUAGE],
    )
  ).map(({ language, count }) => ({ language, count: Number(count) }))

/** A memory in a conversation. */
export interface Turn {
  author: string | null
  contentText: string
}

/** The turns before some of an owner's memories, by the `seq` of these. */
export const findPreceding = async (
  query: Query,
  ownerId: string,
  turns: { seq: number; threadNo: number; position: number | null; author: string | null }[],
): Promise<Map<number, Turn>> => {
  const placed = turns.filter(({ threadNo, author }) => threadNo !== 0 && author !== null)
  if (placed.length === 0) return new Map()
  const rows = await query<{ seq: string; author: string; content: string }>(
    `select t.seq, m.author, m.content_text as content
    from ${jsonRows('$2::jsonb', { seq: 'bigint', thread_no: 'bigint', position: 'int' })} t
    cross join lateral (
      select author, content_text from memories
      where owner_id = $1 and thread_no = t.thread_no and position = t.position - 1
        and deleted_at is null and author is not null
      order by seq desc limit 1
    ) m`,
    [
      ownerId,
      JSON.stringify(
        placed.map(({ seq, threadNo, position }) => ({ seq, thread_no: threadNo, position })),
      ),
    ],
  )
  return new Map(
    rows.map(({ seq, author, content }) => [Number(seq), { author, contentText: content }]),
  )
}
