import { TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { recordChanges } from './change-parts-store.ts'
import type { MemorySet } from './set-store.ts'

/** The kind of actor of a change that follows from one of the memory's successor, whose id it refers to. */
export const SUCCESSOR_ACTOR = 'successor'

/** A superseded memory and the successor that it names. */
export interface Superseded {
  memory_id: string
  superseded_by: string
}

/** The memories, not deleted, whose successor is a deleted one of a set. */
export const listOrphans = async (
  query: Query,
  { ownerId, condition, values }: MemorySet,
): Promise<Superseded[]> => {
  const rows = await namedQuery<Superseded>(
    query,
    `select memory_id, superseded_by from memories
    where owner_id = :ownerId and deleted_at is null and superseded_by = any(array(
      select memory_id from memories where ${condition} and deleted_at is not null
    ))`,
    { ...values, ownerId },
  )
  // Sorted here: the planner would read all memories of the owner in this order.
  return rows.toSorted((one, other) => (one.memory_id < other.memory_id ? -1 : 1))
}

/** The memories, not deleted, whose successor does not exist or is deleted. */
export const listAllOrphans = (query: Query, ownerId: string): Promise<Superseded[]> =>
  query<Superseded>(
    `select m.memory_id, m.superseded_by from memories m
    left join memories s on s.owner_id = $1 and s.memory_id = m.superseded_by and s.deleted_at is null
    where m.owner_id = $1 and m.superseded_by is not null and m.deleted_at is null and s.memory_id is null
    order by m.memory_id`,
    [ownerId],
  )

/** The memories that one names, and whether it is deleted itself. */
export interface MemoryLinks {
  supersedes: string | null
  superseded_by: string | null
  is_deleted: boolean
}

export const findLinks = async (
  query: Query,
  ownerId: string,
  memoryId: string,
): Promise<MemoryLinks | undefined> => {
  const [row] = await query<MemoryLinks>(
    `select supersedes, superseded_by, deleted_at is not null as is_deleted
    from memories where owner_id = $1 and memory_id = $2`,
    [ownerId, memoryId],
  )
  return row
}

/** The live memory with the same content in the same thread. */
export const findSameContent = async (
  query: Query,
  ownerId: string,
  memoryId: string,
): Promise<string | undefined> => {
  const [row] = await query<{ memory_id: string }>(
    `select o.memory_id from memories m join memories o on o.owner_id = $1
      and o.thread_no = m.thread_no and o.content_hash = m.content_hash
      and o.project is not distinct from m.project
    where m.owner_id = $1 and m.memory_id = $2 and o.memory_id <> $2
      and o.deleted_at is null and o.superseded_by is null limit 1`,
    [ownerId, memoryId],
  )
  return row?.memory_id
}

/**
 * The superseded memories, not deleted, whose chains come to no current memory, as a file may claim: they supersede
 * each other. Those that happened last come first.
 */
export const listCircular = (query: Query, ownerId: string): Promise<Superseded[]> =>
  query<Superseded>(
    `with recursive ended as (
      select p.memory_id from memories p
      join memories s on s.owner_id = $1 and s.memory_id = p.superseded_by
      where p.owner_id = $1 and p.superseded_by is not null and s.superseded_by is null
      union
      select p.memory_id from ended e
      join memories p on p.owner_id = $1 and p.superseded_by = e.memory_id
    )
    select memory_id, superseded_by from memories
    where owner_id = $1 and superseded_by is not null and deleted_at is null
      and memory_id not in (select memory_id from ended)
    order by coalesce(occurred_at, created_at) desc, memory_id desc`,
    [ownerId],
  )

/** Lets a superseded memory name another successor, which names it in place of `former`. */
export const relink = async (
  query: Query,
  ownerId: string,
  { memoryId, successor, former }: { memoryId: string; successor: string; former: string },
): Promise<void> => {
  await query(
    `with past as (
      update memories set superseded_by = $3, updated_at = now()
      where owner_id = $1 and memory_id = $2 returning seq
    ),
    next as (
      update memories set supersedes = $2, updated_at = now()
      where owner_id = $1 and memory_id = $3 and (supersedes is null or supersedes = $4) returning seq
    ),
    changed as (select seq from past union all select seq from next),
    ${recordChanges('changed', '$1')}
    select from changed`,
    [ownerId, memoryId, successor, former],
  )
}

/** A memory that became current because its successor was deleted. */
export interface Released {
  memory_id: string
  is_deleted: boolean
}

/** Those that became current because a memory was deleted, and that nothing has superseded since. */
export const listReleased = (
  query: Query,
  ownerId: string,
  memoryId: string,
): Promise<Released[]> =>
  query<Released>(
    `select distinct m.memory_id, m.deleted_at is not null as is_deleted from memory_history h
    join memories m on m.owner_id = $1 and m.memory_id = h.memory_id
    where h.owner_id = $1 and h.actor_kind = '${SUCCESSOR_ACTOR}' and h.actor_ref = $2
      and h.action = 'restored' and m.superseded_by is null
      and not exists (
        select from memory_history l where l.owner_id = $1 and l.memory_id = h.memory_id
          and l.id > h.id and l.action = 'superseded'
      )
    order by m.memory_id`,
    [ownerId, memoryId],
  )

/** Lets a deleted memory name its successor again. It is in no index, so that nothing else changes. */
export const supersedeDeleted = async (
  query: Query,
  ownerId: string,
  { memoryId, successor }: { memoryId: string; successor: string },
): Promise<void> => {
  await query(
    `update memories set superseded_by = $3, valid_to = now()
    where owner_id = $1 and memory_id = $2 and deleted_at is not null`,
    [ownerId, memoryId, successor],
  )
}

/** A memory, and the one that it supersedes. */
export interface Succession {
  memory_id: string
  supersedes: string
}

/** Memories that name one as superseded that has no successor and is trusted no more, as parts of a file leave them. */
export const listUnlinked = (query: Query, ownerId: string): Promise<Succession[]> =>
  query<Succession>(
    `select n.memory_id, n.supersedes from memories n
    join memories m on m.owner_id = $1 and m.memory_id = n.supersedes
    where n.owner_id = $1 and n.supersedes is not null and n.deleted_at is null
      and m.deleted_at is null and m.superseded_by is null and m.memory_id <> n.memory_id
      and array_position($2::text[], n.trust) <= array_position($2::text[], m.trust)
    order by n.memory_id`,
    [ownerId, TRUST_LEVELS],
  )

/** Clears what a memory names as superseded, where another has superseded that, or nothing has. */
export const clearSuperseded = async (
  query: Query,
  ownerId: string,
  memoryId: string,
): Promise<void> => {
  await query(
    `update memories n set supersedes = null from memories m
    where n.owner_id = $1 and n.memory_id = $2 and m.owner_id = $1 and m.memory_id = n.supersedes
      and m.superseded_by is distinct from n.memory_id`,
    [ownerId, memoryId],
  )
}

/** Removes an erased memory from what others name: their successor is the one after it. */
export const forgetLinks = async (
  query: Query,
  ownerId: string,
  memoryId: string,
  next: string | null,
): Promise<void> => {
  await query(
    'update memories set superseded_by = $3 where owner_id = $1 and superseded_by = $2 and deleted_at is not null',
    [ownerId, memoryId, next],
  )
  await query('update memories set supersedes = null where owner_id = $1 and supersedes = $2', [
    ownerId,
    memoryId,
  ])
}
