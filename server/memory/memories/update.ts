import type { Database, Query } from '../../platform/db/database.ts'
import type { Actor } from './actor.ts'
import { memoryError } from './errors.ts'
import type { NewMemory } from './insert-store.ts'
import type { MemoryWithThread } from './store.ts'
import { lockForSupersession, supersedeMemory } from './supersede-store.ts'
import { updateMemory } from './update-store.ts'
import { storeBuiltInVectors } from './vectors.ts'

/** A change of one memory. Ids are in lower case, as the database writes them. */
interface MemoryUpdate {
  ownerId: string
  memoryId: string
  actor: Actor
  change: Partial<NewMemory>
  /** The memory that it supersedes. */
  supersedes: string | undefined
}

/**
 * Changes a memory, and lets it supersede another, in one transaction.
 * @returns the memory after the change; undefined when it does not exist, is deleted or superseded.
 * @throws ApiError 404 when the memory to supersede does not exist, 409 when another superseded it.
 */
export const applyUpdate = (
  database: Database,
  engines: readonly string[],
  update: MemoryUpdate,
): Promise<MemoryWithThread | undefined> =>
  database.transaction(async (query) => {
    const { ownerId, memoryId, actor, change, supersedes } = update
    const isPending = supersedes !== undefined && (await lockPair(query, update, supersedes))
    const memory = await updateMemory(query, ownerId, memoryId, actor, change, engines)
    if (memory) await storeBuiltInVectors(query, ownerId, [memory])
    if (!memory || !supersedes || !isPending) return memory
    return supersedeMemory(query, ownerId, actor, supersedes, memoryId)
  })

/** Locks both memories. @returns false when the one superseded the other before, so that a retry succeeds. */
const lockPair = async (
  query: Query,
  { ownerId, memoryId }: MemoryUpdate,
  supersedes: string,
): Promise<boolean> => {
  if (supersedes === memoryId) throw memoryError('supersedes_itself')
  const states = await lockForSupersession(query, ownerId, [memoryId, supersedes])
  const superseded = states.get(supersedes)
  if (!superseded) throw memoryError('superseded_not_found')
  if (superseded.isSuperseded && superseded.supersededBy !== memoryId)
    throw memoryError('superseded_twice')
  return !superseded.isSuperseded
}
