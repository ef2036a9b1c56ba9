import { lowestTrust } from '../../../shared/contract/memories.ts'
import type { Database } from '../../platform/db/database.ts'
import { actorOf, type MemoryCaller } from './actor.ts'
import { deleteTogether, restoreTogether } from './bulk.ts'
import { lockCaptured } from './captured-store.ts'
import { eraseMemory } from './delete-store.ts'
import { type CapturedMemory, captureKeyOf, contentColumns, isoInstant } from './new-memory.ts'
import { capturedIn, findThreadNo } from './set-store.ts'
import type { EngineQueue } from './storing.ts'
import { updateMemory } from './update-store.ts'

/**
 * Replaces the texts of captured messages, and deletes and restores those of a thread, each in one transaction.
 */
export const createCapturedEditor = (
  { bulk, transaction }: Pick<Database, 'bulk' | 'transaction'>,
  engines: EngineQueue,
) => {
  const capturedOf = async ({ ownerId }: MemoryCaller, thread: string) => {
    const threadNo = await findThreadNo(bulk.query, ownerId, thread)
    return threadNo === undefined ? undefined : capturedIn(ownerId, threadNo)
  }
  return {
    /**
     * Replaces the text of a captured message by a later one with the same key, such as that of a turn that
     * went on after its end. One that was edited, superseded or deleted stays, and so does one that is more trusted.
     * @param surplus the keys of parts that the message no longer has. They are erased.
     * @returns the id of the memory; undefined where nothing is replaced.
     */
    async replaceCaptured(
      caller: MemoryCaller,
      { key, body, source }: CapturedMemory,
      surplus: string[][] = [],
    ): Promise<string | undefined> {
      const { ownerId } = caller
      const occurredAt = isoInstant(body.occurred_at) ?? new Date().toISOString()
      const hash = captureKeyOf(key)
      const columns = await contentColumns(body.content)
      const replaced = await transaction(async (query) => {
        const [found, ...parts] = await lockCaptured(query, ownerId, [
          hash,
          ...surplus.map(captureKeyOf),
        ])
        if (found?.captureKey !== hash || new Date(occurredAt) < found.at) return undefined
        if (lowestTrust(found.trust, source.trust) !== found.trust) return undefined
        const { memoryId } = found
        for (const part of parts) await eraseMemory(query, ownerId, part.memoryId)
        const patch = {
          ...columns,
          content_hash: hash,
          occurred_at: occurredAt,
          metadata: body.metadata,
          timezone: caller.timezone ?? null,
        }
        const change = { ownerId, memoryId, actor: actorOf(caller) }
        const memory = await updateMemory(query, change, patch, engines.names)
        return memory?.memoryId
      })
      if (replaced) engines.schedule(ownerId)
      return replaced
    },

    /** @returns how many were deleted, and when; undefined where none was captured. */
    async deleteCaptured(
      caller: MemoryCaller,
      thread: string,
    ): Promise<{ deleted: number; now: Date } | undefined> {
      const set = await capturedOf(caller, thread)
      return set && deleteTogether(bulk, set, { actor: actorOf(caller), engines: engines.names })
    },

    /**
     * @param since restores only what was deleted at this time or later.
     * @returns how many were restored; undefined where none was captured.
     */
    async restoreCaptured(
      caller: MemoryCaller,
      thread: string,
      since: Date,
    ): Promise<number | undefined> {
      const set = await capturedOf(caller, thread)
      const change = { actor: actorOf(caller), since, engines: engines.names }
      const restored = set && (await restoreTogether(bulk, set, change))
      if (restored) engines.schedule(caller.ownerId)
      return restored
    },
  }
}
