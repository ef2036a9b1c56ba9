import type { Memory, Trust, UpdateMemory } from '../../../shared/contract/memories.ts'
import { type Database, isUniqueViolation } from '../../platform/db/database.ts'
import { actorOf, editorTrust, type MemoryCaller } from './actor.ts'
import type { MemoryChange } from './change-parts-store.ts'
import { deleteMemory, restoreMemory } from './delete-store.ts'
import { memoryError } from './errors.ts'
import type { NewMemory } from './insert-store.ts'
import { changedColumns, checkMetadata } from './new-memory.ts'
import { presentMemory } from './present.ts'
import { memoriesIn } from './set-store.ts'
import { findMemory, type MemoryWithThread } from './store.ts'
import type { MemoryDeps } from './storing.ts'
import { eraseDeleted, reclaimSuperseded, releaseSuperseded } from './successors.ts'
import { reinstateMemory, supersedeMemory } from './supersede-store.ts'
import { lockPair } from './supersession.ts'
import { updateMemory } from './update-store.ts'

/** Changes, deletes and restores memories. */
export const createMemoryEditor = (
  database: Database,
  { engines, redaction, record }: Omit<MemoryDeps, 'metrics'>,
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
      patch: await changedColumns(await redaction.update(body), {
        trust: editorTrust(caller),
        timezone: caller.timezone ?? null,
      }),
      supersedes: body.supersedes?.toLowerCase(),
      trust: editorTrust(caller),
    }).catch(throwDuplicate)
    if (memory) {
      engines.schedule(ownerId)
      record(caller, { kind: 'memory.changed', memories: [{ id: memory.memoryId }] })
      if (body.supersedes)
        record(caller, {
          kind: 'memory.superseded',
          memories: [{ id: body.supersedes.toLowerCase() }],
        })
      return presentMemory(memory)
    }
    const found = await findMemory(database.db, ownerId, memoryId)
    throw memoryError(
      found?.supersededBy && !found.deletedAt ? 'memory_superseded' : 'memory_not_found',
    )
  },

  /**
   * Restores a deleted memory with what it superseded, or makes a superseded one current again. One that is neither is returned, so
   * that a retry succeeds.
   * @throws ApiError 404 when it does not exist or was deleted more than 30 days ago, 409 when its
   * content was remembered again.
   */
  async restore(caller: MemoryCaller, memoryId: string): Promise<Memory> {
    const { ownerId } = caller
    const restored = await database
      .transaction(async (query) => {
        const change = { ownerId, memoryId, actor: actorOf(caller) }
        const memory =
          (await restoreMemory(query, change, engines.names)) ??
          (await reinstateMemory(query, change, engines.names))
        if (!memory) return undefined
        await reclaimSuperseded(query, ownerId, [memory.memoryId], engines.names)
        return memory.memoryId
      })
      .catch(throwDuplicate)
    if (restored) {
      engines.schedule(ownerId)
      record(caller, { kind: 'memory.restored', memories: [{ id: restored }] })
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
    const found = await database.transaction(async (query) => {
      const isDeleted = await deleteMemory(query, { ownerId, memoryId, actor: actorOf(caller) })
      if (permanent) return eraseDeleted(query, ownerId, memoryId, engines.names)
      await releaseSuperseded(query, memoriesIn(ownerId, [memoryId]), engines.names)
      return isDeleted
    })
    engines.schedule(ownerId)
    if (!found) throw memoryError('memory_not_found')
    record(caller, {
      kind: permanent ? 'memory.erased' : 'memory.forgotten',
      memories: [{ id: memoryId.toLowerCase() }],
    })
  },
})

const throwDuplicate = (error: unknown): never => {
  throw isUniqueViolation(error) ? memoryError('memory_duplicate') : error
}

interface MemoryUpdate extends MemoryChange {
  /** That of the editor. */
  trust: Trust
  patch: Partial<NewMemory>
  /** The memory that it supersedes. */
  supersedes: string | undefined
}

/**
 * Changes a memory, and lets it supersede another, in one transaction.
 * @returns the memory after the change; undefined when it does not exist, is deleted or superseded.
 * @throws ApiError 404 when the memory to supersede does not exist, 409 when another superseded it.
 */
const applyUpdate = (
  database: Database,
  engines: readonly string[],
  update: MemoryUpdate,
): Promise<MemoryWithThread | undefined> =>
  database.transaction(async (query) => {
    const { patch, supersedes, trust: _, ...change } = update
    const { ownerId, memoryId, actor } = change
    const isPending =
      supersedes !== undefined &&
      (await lockPair(query, ownerId, memoryId, supersedes, update.trust))
    const memory = await updateMemory(query, change, patch, engines)
    if (!memory || !supersedes || !isPending) return memory
    return supersedeMemory(query, {
      ownerId,
      actor,
      memoryId: supersedes,
      supersedingId: memoryId,
    })
  })
