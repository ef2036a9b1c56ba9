import type { Query } from '../../platform/db/database.ts'
import {
  addHistory,
  changeMemory,
  changeValues,
  type MemoryChange,
  queueTasks,
  recordChanges,
  SELECT_ADDED,
} from './change-parts-store.ts'
import { type MemoryWithThread, memoryFromRow } from './store.ts'

const CONFIRM = `
with added as materialized (
  update memories set trust = 'user', updated_at = now()
  where owner_id = :ownerId and memory_id = :memoryId and trust <> 'user'
    and deleted_at is null and superseded_by is null
  returning *
),
${recordChanges('added')},
${queueTasks()},
${addHistory('updated', 'added')}
${SELECT_ADDED}`

/**
 * Makes a memory the user's word, within a transaction.
 * @returns the memory, if it is live and was not before.
 */
export const confirmMemory = async (
  query: Query,
  change: MemoryChange,
  engines: readonly string[],
): Promise<MemoryWithThread | undefined> => {
  const values = { ...changeValues(change), engines: JSON.stringify(engines) }
  const [row] = await changeMemory(query, CONFIRM, values)
  return row && memoryFromRow(row)
}
