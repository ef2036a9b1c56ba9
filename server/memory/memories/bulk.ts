import { parseInstant } from '../../../shared/contract/common.ts'
import type {
  ForgetMatching,
  ForgottenMemories,
  RestoredMemories,
  RestoreMatching,
} from '../../../shared/contract/memory-bulk.ts'
import { type Database, isUniqueViolation } from '../../platform/db/database.ts'
import { type Actor, actorOf, type MemoryCaller } from './actor.ts'
import { memoryError } from './errors.ts'
import { countMatching, listMatching, type MemoryFilter } from './list-store.ts'

import { filterOf } from './reader.ts'
import { deleteSet, listIds, lockSet, type MemorySet, memoriesIn, restoreSet } from './set-store.ts'
import type { MemoryDeps } from './storing.ts'
import { reclaimSuperseded, releaseSuperseded } from './successors.ts'

type Bulk = Database['bulk']

/**
 * Deletes a set of memories in one transaction.
 * @returns how many were deleted, and when; undefined where there is none, deleted or not.
 */
export const deleteTogether = (
  bulk: Bulk,
  set: MemorySet,
  { actor, engines }: { actor: Actor; engines: readonly string[] },
): Promise<{ deleted: number; now: Date } | undefined> =>
  bulk.transaction(async (query) => {
    const now = await lockSet(query, set)
    if (!now) return undefined
    const deleted = await deleteSet(query, set, actor)
    await releaseSuperseded(query, set, engines)
    return { deleted, now }
  })

/**
 * Restores those of a set in one transaction that were deleted at a time or later.
 * @returns how many were restored; undefined where there is none, deleted or not.
 */
export const restoreTogether = async (
  bulk: Bulk,
  set: MemorySet,
  change: { actor: Actor; since: Date; engines: readonly string[] },
): Promise<number | undefined> => {
  const restore = () =>
    bulk.transaction(async (query) => {
      if (!(await lockSet(query, set))) return undefined
      const seqs = await restoreSet(query, set, change)
      const restored = await listIds(query, set.ownerId, seqs)
      await reclaimSuperseded(query, set.ownerId, restored, change.engines)
      return seqs.length
    })
  // Another request has just remembered the same text: it is there now, and left out.
  return restore().catch((error) => {
    if (isUniqueViolation(error)) return restore()
    throw error
  })
}

/** Memories of a transaction: writers of the same owner wait for it. */
const BATCH = 500

/** Changes all memories that match a filter, in batches that are each changed as a whole. */
export const createBulkEditor = (
  { db, bulk }: Pick<Database, 'db' | 'bulk'>,
  { engines, record }: Pick<MemoryDeps, 'engines' | 'record'>,
) => {
  /**
   * The ids of those that match, in batches; each is read after the change of the one before.
   * @param lastSeq leaves out those that are written meanwhile.
   */
  async function* batches(
    ownerId: string,
    filter: MemoryFilter,
    lastSeq?: number,
  ): AsyncGenerator<[string, ...string[]]> {
    let after: string | undefined
    for (;;) {
      const page = { limit: BATCH, after, lastSeq }
      const [first, ...rest] = await listMatching(db, ownerId, filter, page)
      if (first === undefined) return
      yield [first, ...rest]
      after = rest.at(-1) ?? first
    }
  }

  return {
    /** @throws ApiError 422 without a filter, 409 when another number of memories matches. */
    async forgetMatching(
      caller: MemoryCaller,
      { all, expected, dry_run, ...filter }: ForgetMatching,
    ): Promise<ForgottenMemories> {
      if (!all && Object.values(filter).every((value) => value === undefined))
        throw memoryError('filter_missing')
      const { ownerId } = caller
      const chosen = filterOf(caller, filter)
      const { count: matching, lastSeq } = await countMatching(db, ownerId, chosen)
      if (dry_run) return { count: matching, deleted_since: null }
      if (expected !== undefined && expected !== matching)
        throw memoryError('other_memories_match', matching)
      let count = 0
      let since: Date | undefined
      for await (const ids of batches(ownerId, chosen, lastSeq)) {
        const done = await deleteTogether(bulk, memoriesIn(ownerId, ids), {
          actor: actorOf(caller),
          engines: engines.names,
        })
        count += done?.deleted ?? 0
        since ??= done?.now
        if (done?.deleted)
          record(caller, {
            kind: 'memory.forgotten',
            count: done.deleted,
            memories: ids.map((id) => ({ id })),
          })
      }
      if (count) engines.schedule(ownerId)
      return { count, deleted_since: since?.toISOString() ?? null }
    },

    async restoreMatching(
      caller: MemoryCaller,
      { deleted_since, ...filter }: RestoreMatching,
    ): Promise<RestoredMemories> {
      const { ownerId } = caller
      const since = parseInstant(deleted_since) ?? new Date(0)
      const chosen = {
        ...filterOf(caller, filter),
        deleted: true,
        deletedSince: since.toISOString(),
      }
      const change = { actor: actorOf(caller), since, engines: engines.names }
      let count = 0
      for await (const ids of batches(ownerId, chosen)) {
        const restored = await restoreTogether(bulk, memoriesIn(ownerId, ids), change)
        if (!restored) continue
        count += restored
        record(caller, {
          kind: 'memory.restored',
          count: restored,
          memories: ids.map((id) => ({ id })),
        })
      }
      if (count) engines.schedule(ownerId)
      return { count }
    },
  }
}
