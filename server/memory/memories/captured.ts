import type { Database } from '../../platform/db/database.ts'
import { actorOf, type MemoryCaller } from './actor.ts'
import { deleteTogether, restoreTogether } from './bulk.ts'
import { capturedIn, findThreadNo } from './set-store.ts'
import type { EngineQueue } from './writer.ts'

/** Deletes and restores the captured memories of a thread, all in one transaction. */
export const createCapturedEditor = ({ bulk }: Pick<Database, 'bulk'>, engines: EngineQueue) => {
  const capturedOf = async ({ ownerId }: MemoryCaller, thread: string) => {
    const threadNo = await findThreadNo(bulk.query, ownerId, thread)
    return threadNo === undefined ? undefined : capturedIn(ownerId, threadNo)
  }
  return {
    /** @returns how many were deleted, and when; undefined where none was captured. */
    async deleteCaptured(
      caller: MemoryCaller,
      thread: string,
    ): Promise<{ deleted: number; now: Date } | undefined> {
      const set = await capturedOf(caller, thread)
      return set && deleteTogether(bulk, set, actorOf(caller))
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
