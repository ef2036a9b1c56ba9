import type { Query } from '../../platform/db/database.ts'
import {
  addHistory,
  COUNT_ADDED,
  COUNT_REMOVED,
  changeMemory,
  changeValues,
  type MemoryChange,
  queueTasks,
  removeVectors,
  SELECT_ADDED,
} from './change-parts-store.ts'
import { deleteStatement } from './set-store.ts'
import { type MemoryWithThread, memoryFromRow } from './store.ts'

const DELETE = deleteStatement('owner_id = :ownerId and memory_id = :memoryId')

/**
 * Removes a memory from recall, within a transaction; its row stays and can be restored.
 * @returns whether there was such a memory.
 */
export const deleteMemory = async (query: Query, change: MemoryChange): Promise<boolean> => {
  const [row] = await changeMemory(query, DELETE, changeValues(change))
  return Number(row?.count) > 0
}

const ERASE = `
with erased as materialized (
  delete from memories where owner_id = :ownerId and memory_id = :memoryId returning *
),
removed as materialized (select * from erased where deleted_at is null),
${removeVectors()},
${COUNT_REMOVED},
erased_history as (
  delete from memory_history where owner_id = :ownerId and memory_id = :memoryId
)
select memory_id from erased`

/**
 * Erases a memory, deleted or not, with its history and marks, within a transaction.
 * @returns whether there was such a memory.
 */
export const eraseMemory = async (
  query: Query,
  ownerId: string,
  memoryId: string,
): Promise<boolean> => {
  const erased = await changeMemory(query, ERASE, { ownerId, memoryId })
  // In a statement of its own, which sees a mark that was added until the memory was locked.
  await query('delete from memory_feedback where owner_id = $1 and memory_id = $2', [
    ownerId,
    memoryId,
  ])
  return erased.length > 0
}

const RESTORE = `
with added as materialized (
  update memories set deleted_at = null, updated_at = now()
  where owner_id = :ownerId and memory_id = :memoryId and deleted_at > now() - interval '30 days'
  returning *
),
${COUNT_ADDED},
${queueTasks()},
${addHistory('restored', 'added')}
${SELECT_ADDED}`

/**
 * Restores a memory, within a transaction.
 * @returns the memory, if it was deleted in the last 30 days.
 * @throws a unique violation when another memory has the same content.
 */
export const restoreMemory = async (
  query: Query,
  change: MemoryChange,
  engines: readonly string[],
): Promise<MemoryWithThread | undefined> => {
  const [row] = await changeMemory(query, RESTORE, {
    ...changeValues(change),
    engines: JSON.stringify(engines),
  })
  return row && memoryFromRow(row)
}

/** Deleted memories that cannot be restored any more, oldest deletion first. */
export const listExpired = async (
  query: Query,
  limit: number,
): Promise<{ ownerId: string; memoryId: string }[]> => {
  const rows = await query<{ owner_id: string; memory_id: string }>(
    `select owner_id, memory_id from memories
    where deleted_at < now() - interval '30 days' order by deleted_at limit $1`,
    [limit],
  )
  return rows.map((row) => ({ ownerId: row.owner_id, memoryId: row.memory_id }))
}
