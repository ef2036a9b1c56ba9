import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import type { Actor } from './actor.ts'
import {
  addHistory,
  COUNT_ADDED,
  COUNT_REMOVED,
  queueTasks,
  removeVectors,
} from './change-parts-store.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'

/** Memories of an owner that are changed together. */
export interface MemorySet {
  ownerId: string
  /** A condition of SQL on their columns; a constant, because the statements are cached by their text. */
  condition: string
  /** Its parameters, by name. */
  values: Record<string, unknown>
}

/** The captured memories of a thread. */
export const capturedIn = (ownerId: string, threadNo: number): MemorySet => ({
  ownerId,
  values: { threadNo },
  condition: 'owner_id = :ownerId and thread_no = :threadNo and capture_key is not null',
})

/** Memories by their ids. */
export const memoriesIn = (ownerId: string, memoryIds: readonly string[]): MemorySet => ({
  ownerId,
  values: { memoryIds: JSON.stringify(memoryIds) },
  condition: `owner_id = :ownerId
    and memory_id = any(array(select value::uuid from jsonb_array_elements_text(:memoryIds::jsonb)))`,
})

const RESTORABLE = "deleted_at > now() - interval '30 days'"

const lockStatement = (condition: string): string => `
with ${lockOwner(':ownerId')},
locked as materialized (
  select memory_id from memories
  where ${condition} and (deleted_at is null or ${RESTORABLE}) and ${OWNER_EXISTS}
  order by memory_id for update
)
select count(*)::int as count, date_trunc('milliseconds', now()) as now from locked`

/**
 * Locks those of a set that are not deleted or can be restored, within a transaction. As with one memory, the
 * change is the next statement.
 * @returns the time of the transaction; undefined where there is none.
 */
export const lockSet = async (
  query: Query,
  { ownerId, condition, values }: MemorySet,
): Promise<Date | undefined> => {
  const [locked] = await namedQuery<{ count: number; now: string | Date }>(
    query,
    lockStatement(condition),
    { ...values, ownerId },
  )
  return locked?.count ? new Date(locked.now) : undefined
}

/** @returns the number of a thread with this name. */
export const findThreadNo = async (
  query: Query,
  ownerId: string,
  thread: string,
): Promise<number | undefined> => {
  const [found] = await query<{ thread_no: number | string }>(
    'select thread_no from memory_threads where owner_id = $1 and thread = $2',
    [ownerId, thread],
  )
  return found && Number(found.thread_no)
}

const valuesOf = ({ ownerId, values }: MemorySet, actor: Actor) => ({
  ...values,
  ownerId,
  eventId: Bun.randomUUIDv7(),
  actorKind: actor.kind,
  actorRef: actor.ref,
})

/** Deletes the live memories of a condition. @returns SQL that selects how many. */
export const deleteStatement = (condition: string): string => `
with removed as materialized (
  update memories set deleted_at = now(), updated_at = now()
  where ${condition} and deleted_at is null
  returning *
),
${removeVectors()},
${COUNT_REMOVED},
${addHistory('deleted', 'removed')}
select count(*)::int as count from removed`

/** Deletes those that are locked. @returns how many were not deleted before. */
export const deleteSet = async (query: Query, set: MemorySet, actor: Actor): Promise<number> => {
  const statement = deleteStatement(set.condition)
  const [row] = await namedQuery<{ count: number }>(query, statement, valuesOf(set, actor))
  return row?.count ?? 0
}

/** A content that the thread has again, or that two of them were changed to, is restored once at most. */
const restoreStatement = (condition: string): string => `
with gone as materialized (
  select distinct on (thread_no, content_hash, project, superseded_by) memory_id
  from memories m
  where ${condition} and ${RESTORABLE} and deleted_at >= :since::timestamptz
    and (superseded_by is not null or not exists (
      select from memories o
      where o.owner_id = :ownerId and o.thread_no = m.thread_no and o.content_hash = m.content_hash
        and o.project is not distinct from m.project
        and o.deleted_at is null and o.superseded_by is null
    ))
  order by thread_no, content_hash, project, superseded_by, seq
),
added as materialized (
  update memories m set deleted_at = null, updated_at = now()
  from gone g where m.owner_id = :ownerId and m.memory_id = g.memory_id
  returning m.*
),
${COUNT_ADDED},
${queueTasks()},
${addHistory('restored', 'added')}
select seq from added order by seq`

/**
 * Restores those that are locked and were deleted at a time or later.
 * @returns their `seq`.
 * @throws a unique violation when another writer remembers one of the contents at this moment.
 */
export const restoreSet = async (
  query: Query,
  set: MemorySet,
  { actor, since, engines }: { actor: Actor; since: Date; engines: readonly string[] },
): Promise<number[]> => {
  const rows = await namedQuery<{ seq: number | string }>(query, restoreStatement(set.condition), {
    ...valuesOf(set, actor),
    since: since.toISOString(),
    engines: JSON.stringify(engines),
  })
  return rows.map(({ seq }) => Number(seq))
}

export const listIds = async (query: Query, ownerId: string, seqs: number[]): Promise<string[]> => {
  const rows = await query<{ memory_id: string }>(
    `select memory_id from memories
    where owner_id = $1 and seq = any(array(select value::bigint from jsonb_array_elements_text($2::jsonb)))`,
    [ownerId, JSON.stringify(seqs)],
  )
  return rows.map(({ memory_id }) => memory_id)
}
