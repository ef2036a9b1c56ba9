import { type Database, isUniqueViolation, type Query } from '../../platform/db/database.ts'
import { actorOf, type MemoryCaller } from './actor.ts'
import { deleteCaptured, listTexts, lockCaptured, restoreCaptured } from './captured-store.ts'
import { storeBuiltInVectors } from './vectors-store.ts'
import type { EngineQueue } from './writer.ts'

/** Vectors that are computed at once: other requests run between. */
const VECTOR_BATCH = 200

/** Deletes and restores the captured memories of a thread, all in one transaction. */
export const createCapturedEditor = ({ bulk }: Database, engines: EngineQueue) => ({
  /** @returns how many were deleted, and when; undefined where none was captured. */
  deleteCaptured: (
    caller: MemoryCaller,
    thread: string,
  ): Promise<{ deleted: number; now: Date } | undefined> =>
    bulk.transaction(async (query) => {
      const { ownerId } = caller
      const locked = await lockCaptured(query, ownerId, thread)
      if (!locked) return undefined
      const { threadNo, now } = locked
      const deleted = await deleteCaptured(query, { ownerId, threadNo, actor: actorOf(caller) })
      return { deleted, now }
    }),

  /**
   * @param since restores only what was deleted at this time or later.
   * @returns how many were restored; undefined where none was captured.
   */
  async restoreCaptured(
    caller: MemoryCaller,
    thread: string,
    since: Date,
  ): Promise<number | undefined> {
    const { ownerId } = caller
    const restore = () =>
      bulk.transaction(async (query) => {
        const locked = await lockCaptured(query, ownerId, thread)
        if (!locked) return undefined
        const { threadNo } = locked
        const seqs = await restoreCaptured(query, {
          ...{ ownerId, threadNo, since },
          ...{ actor: actorOf(caller), engines: engines.names },
        })
        await storeVectors(query, ownerId, seqs)
        return seqs.length
      })
    // Another request has just remembered the same text: it is there now, and left out.
    const restored = await restore().catch((error) => {
      if (isUniqueViolation(error)) return restore()
      throw error
    })
    if (restored) engines.schedule(ownerId)
    return restored
  },
})

const storeVectors = async (query: Query, ownerId: string, seqs: number[]): Promise<void> => {
  for (let start = 0; start < seqs.length; start += VECTOR_BATCH) {
    const texts = await listTexts(query, ownerId, seqs.slice(start, start + VECTOR_BATCH))
    await storeBuiltInVectors(query, ownerId, texts)
  }
}
