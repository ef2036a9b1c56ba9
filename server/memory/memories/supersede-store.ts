import type { Trust } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import {
  addHistory,
  COUNT_ADDED,
  changeMemory,
  changeValues,
  type MemoryChange,
  queueTasks,
  SELECT_ADDED,
  updateStats,
} from './change-parts-store.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'
import { type MemoryWithThread, memoryFromRow } from './store.ts'

const COUNT_SUPERSEDED = updateStats({ memories: '- 1', changed: 'removed' })

/**
 * `:supersedingId` supersedes `:memoryId`, which is kept for recalls as of an earlier time. The expressions
 * name the time of the transaction `n.at`: Citus accepts no `now()` within one.
 */
const supersede = (validFrom: string, validTo: string): string => `
with added as materialized (
  update memories set supersedes = :memoryId, valid_from = ${validFrom}, updated_at = now()
  from (select now() as at) n
  where owner_id = :ownerId and memory_id = :supersedingId
  returning memories.*
),
removed as materialized (
  update memories m set superseded_by = a.memory_id, valid_to = ${validTo}, updated_at = now()
  from added a, (select now() as at) n where m.owner_id = :ownerId and m.memory_id = :memoryId
  returning m.*
),
${COUNT_SUPERSEDED},
${addHistory('superseded', 'removed')}
${SELECT_ADDED}`

/** From the event time of the new memory on; a `valid_from` that it already has stays. */
const SUPERSEDE = supersede(
  'coalesce(valid_from, occurred_at, n.at)',
  'coalesce(a.occurred_at, n.at)',
)

/** Both were valid until now, unless the event time of the winner is after that of the loser. */
const SUPERSEDE_CONFLICTING = supersede(
  'valid_from',
  `case when a.occurred_at > coalesce(m.valid_from, m.occurred_at, m.created_at)
    then least(a.occurred_at, n.at) else n.at end`,
)

/** The change of a memory that another one supersedes. */
interface Supersession extends MemoryChange {
  supersedingId: string
}

/** @returns the superseding memory. */
export const supersedeMemory = async (
  query: Query,
  { supersedingId, ...change }: Supersession,
): Promise<MemoryWithThread> => {
  const values = { supersedingId, ...changeValues(change) }
  const [row] = await changeMemory(query, SUPERSEDE, values)
  if (!row) throw new Error('the superseding memory does not exist')
  return memoryFromRow(row)
}

/** Supersedes a memory by one that contradicts it, and that was valid beside it until now. */
export const supersedeConflicting = async (
  query: Query,
  { supersedingId, ...change }: Supersession,
): Promise<void> => {
  const values = { supersedingId, ...changeValues(change) }
  await changeMemory(query, SUPERSEDE_CONFLICTING, values)
}

const REINSTATE = `
with former as materialized (
  select superseded_by from memories where owner_id = :ownerId and memory_id = :memoryId
),
added as materialized (
  update memories set superseded_by = null, valid_to = null, updated_at = now()
  where owner_id = :ownerId and memory_id = :memoryId and deleted_at is null and superseded_by is not null
  returning *
),
successor as (
  update memories set supersedes = null, updated_at = now()
  where owner_id = :ownerId and memory_id = (select superseded_by from former)
    and supersedes = :memoryId and deleted_at is null and exists (select from added)
),
${COUNT_ADDED},
${queueTasks()},
${addHistory('restored', 'added')}
${SELECT_ADDED}`

/**
 * Makes a superseded memory current again, beside the one that superseded it, within a transaction.
 * @returns the memory, if it is superseded and not deleted.
 * @throws a unique violation when another memory has the same content.
 */
export const reinstateMemory = async (
  query: Query,
  change: MemoryChange,
  engines: readonly string[],
): Promise<MemoryWithThread | undefined> => {
  const [row] = await changeMemory(query, REINSTATE, {
    ...changeValues(change),
    engines: JSON.stringify(engines),
  })
  return row && memoryFromRow(row)
}

interface SupersessionState {
  trust: Trust
  isSuperseded: boolean
  supersededBy: string | null
  updatedAt: Date
}

/**
 * Locks memories that are to be superseded, in the order of their ids.
 * @returns the state of those that are not deleted.
 */
export const lockForSupersession = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<Map<string, SupersessionState>> => {
  const rows = await query<{
    memory_id: string
    superseded_by: string | null
    trust: Trust
    updated_at: string | Date
  }>(
    `with ${lockOwner('$1')}
    select memory_id, superseded_by, trust, updated_at from memories
    where owner_id = $1 and deleted_at is null and ${OWNER_EXISTS}
      and memory_id = any(array(select value::uuid from jsonb_array_elements_text($2::jsonb)))
    order by memory_id for update`,
    [ownerId, JSON.stringify(memoryIds)],
  )
  return new Map(
    rows.map(({ memory_id, superseded_by, trust, updated_at }) => [
      memory_id,
      {
        trust,
        isSuperseded: superseded_by !== null,
        supersededBy: superseded_by,
        updatedAt: new Date(updated_at),
      },
    ]),
  )
}
