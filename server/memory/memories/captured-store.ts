import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import type { Actor } from './actor.ts'
import {
  ADD_POSTINGS,
  addHistory,
  COUNT_ADDED,
  COUNT_REMOVED,
  queueTasks,
  REMOVE_PAST_POSTINGS,
  REMOVE_POSTINGS,
  removeVectors,
} from './change-parts-store.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'
import type { MemoryRow } from './table.ts'

/** The captured memories of a thread, and who changes them. */
export interface CapturedChange {
  ownerId: string
  threadNo: number
  actor: Actor
}

const CAPTURED = 'owner_id = :ownerId and thread_no = :threadNo and capture_key is not null'
const RESTORABLE = "deleted_at > now() - interval '30 days'"

const LOCK = `
with ${lockOwner(':ownerId')},
locked as materialized (
  select memory_id from memories
  where ${CAPTURED} and (deleted_at is null or ${RESTORABLE}) and ${OWNER_EXISTS}
  order by memory_id for update
)
select count(*)::int as count, date_trunc('milliseconds', now()) as now from locked`

/**
 * Locks the captured memories of a thread that are not deleted or can be restored, within a transaction. As
 * with one memory, the change is the next statement.
 * @returns the time of the transaction; undefined where there is none.
 */
export const lockCaptured = async (
  query: Query,
  ownerId: string,
  thread: string,
): Promise<{ threadNo: number; now: Date } | undefined> => {
  const [found] = await query<{ thread_no: number | string }>(
    'select thread_no from memory_threads where owner_id = $1 and thread = $2',
    [ownerId, thread],
  )
  if (!found) return undefined
  const threadNo = Number(found.thread_no)
  const [locked] = await namedQuery<{ count: number; now: string | Date }>(query, LOCK, {
    ownerId,
    threadNo,
  })
  return locked?.count ? { threadNo, now: new Date(locked.now) } : undefined
}

const valuesOf = ({ ownerId, threadNo, actor }: CapturedChange) => ({
  ownerId,
  threadNo,
  eventId: Bun.randomUUIDv7(),
  actorKind: actor.kind,
  actorRef: actor.ref,
})

const DELETE = `
with removed as materialized (
  update memories set deleted_at = now(), updated_at = now()
  where ${CAPTURED} and deleted_at is null
  returning *
),
${REMOVE_POSTINGS},
${REMOVE_PAST_POSTINGS},
${removeVectors()},
${COUNT_REMOVED},
${addHistory('deleted', 'removed')}
select count(*)::int as count from removed`

/** Deletes those that are locked. @returns how many were not deleted before. */
export const deleteCaptured = async (query: Query, change: CapturedChange): Promise<number> => {
  const [row] = await namedQuery<{ count: number }>(query, DELETE, valuesOf(change))
  return row?.count ?? 0
}

/** A content that the thread has again, or that two of them were changed to, is restored once at most. */
const RESTORE = `
with gone as materialized (
  select distinct on (content_hash, superseded_by) memory_id
  from memories m
  where ${CAPTURED} and ${RESTORABLE} and deleted_at >= :since::timestamptz
    and (superseded_by is not null or not exists (
      select from memories o
      where o.owner_id = :ownerId and o.thread_no = :threadNo and o.content_hash = m.content_hash
        and o.deleted_at is null and o.superseded_by is null
    ))
  order by content_hash, superseded_by, seq
),
added as materialized (
  update memories m set deleted_at = null, updated_at = now()
  from gone g where m.owner_id = :ownerId and m.memory_id = g.memory_id
  returning m.*
),
${ADD_POSTINGS},
${COUNT_ADDED},
${queueTasks()},
${addHistory('restored', 'added')}
select seq from added order by seq`

/**
 * Restores those that are locked and were deleted at a time or later; their vectors are the caller's to store.
 * @returns their `seq`.
 * @throws a unique violation when another writer remembers one of the contents at this moment.
 */
export const restoreCaptured = async (
  query: Query,
  change: CapturedChange & { since: Date; engines: readonly string[] },
): Promise<number[]> => {
  const rows = await namedQuery<{ seq: number | string }>(query, RESTORE, {
    ...valuesOf(change),
    since: change.since.toISOString(),
    engines: JSON.stringify(change.engines),
  })
  return rows.map(({ seq }) => Number(seq))
}

/** The columns of memories that their vectors are computed from. */
export const listTexts = async (
  query: Query,
  ownerId: string,
  seqs: number[],
): Promise<Pick<MemoryRow, 'seq' | 'contentHash' | 'contentText' | 'language'>[]> => {
  const rows = await query<{
    seq: number | string
    content_hash: string
    content_text: string
    language: string
  }>(
    `select seq, content_hash, content_text, language from memories
    where owner_id = $1 and seq = any(array(select value::bigint from jsonb_array_elements_text($2::jsonb)))`,
    [ownerId, JSON.stringify(seqs)],
  )
  return rows.map(({ seq, content_hash, content_text, language }) => ({
    seq: Number(seq),
    contentHash: content_hash,
    contentText: content_text,
    language,
  }))
}
