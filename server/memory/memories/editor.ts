import type { Memory, UpdateMemory } from '../../../shared/contract/memories.ts'
import { type Database, type Db, isUniqueViolation } from '../../platform/db/database.ts'
import type { Engines } from '../engines/service.ts'
import { actorOf } from './actor.ts'
import { deleteMemory, eraseMemory, restoreMemory } from './delete-store.ts'
import { memoryError } from './errors.ts'
import { checkMetadata } from './metadata.ts'
import { changedColumns } from './new-memory.ts'
import { presentMemory } from './present.ts'
import { eraseOwner, findMemory } from './store.ts'
import { applyUpdate } from './update.ts'
import { storeBuiltInVectors } from './vectors.ts'
import type { MemoryCaller } from './writer.ts'

/** Changes, deletes and restores memories. */
export const createMemoryEditor = (
  database: Database,
  engines: Pick<Engines, 'names' | 'nudge'>,
) => ({
  /**
   * @throws ApiError 404 when the memory does not exist; 409 when it is superseded, or its thread has
   * another memory with the new content; both also for the memory to supersede.
   */
  async update(caller: MemoryCaller, memoryId: string, body: UpdateMemory): Promise<Memory> {
    checkMetadata([body])
    const { ownerId } = caller
    const memory = await applyUpdate(database, engines.names, {
      ownerId,
      memoryId: memoryId.toLowerCase(),
      actor: actorOf(caller),
      change: await changedColumns(body),
      supersedes: body.supersedes?.toLowerCase(),
    }).catch(throwDuplicate)
    if (memory) {
      engines.nudge(ownerId)
      return presentMemory(memory)
    }
    const found = await findMemory(database.db, ownerId, memoryId)
    throw memoryError(
      found?.supersededBy && !found.deletedAt ? 'memory_superseded' : 'memory_not_found',
    )
  },

  /**
   * Restores a deleted memory. One that is not deleted is returned, so that a retry succeeds.
   * @throws ApiError 404 when it does not exist or was deleted more than 30 days ago, 409 when its
   * content was remembered again.
   */
  async restore(caller: MemoryCaller, memoryId: string): Promise<Memory> {
    const { ownerId } = caller
    const restored = await database
      .transaction(async (query) => {
        const actor = actorOf(caller)
        const memory = await restoreMemory(query, ownerId, memoryId, actor, engines.names)
        if (memory) await storeBuiltInVectors(query, ownerId, [memory])
        return memory
      })
      .catch(throwDuplicate)
    if (restored) {
      engines.nudge(ownerId)
      return presentMemory(restored)
    }
    const found = await findMemory(database.db, ownerId, memoryId)
    if (!found || found.deletedAt) throw memoryError('memory_not_found')
    return presentMemory(found)
  },

  /**
   * @param permanent erases the memory and its history, deleted before or not.
   * @throws ApiError 404 when the memory does not exist.
   */
  async delete(caller: MemoryCaller, memoryId: string, permanent: boolean): Promise<void> {
    const { ownerId } = caller
    const found = await database.transaction((query) =>
      permanent
        ? eraseMemory(query, ownerId, memoryId)
        : deleteMemory(query, ownerId, memoryId, actorOf(caller)),
    )
    if (!found) throw memoryError('memory_not_found')
  },

  /** Erases all memories of an owner within the transaction that deletes the owner. */
  erase: (tx: Db, ownerId: string): Promise<void> => eraseOwner(tx, ownerId),
})

const throwDuplicate = (error: unknown): never => {
  throw isUniqueViolation(error) ? memoryError('memory_duplicate') : error
}
