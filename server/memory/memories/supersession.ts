import type { Query } from '../../platform/db/database.ts'
import type { Actor } from './actor.ts'
import { memoryError } from './errors.ts'
import type { MemoryWithThread } from './store.ts'
import { lockForSupersession, supersedeMemory } from './supersede-store.ts'

/** `done`, or which of the two was changed after it was read. */
type SupersessionOutcome = 'done' | 'earlier changed' | 'later changed'

/** Lets `later` supersede `earlier`, unless one of them was changed after it was read. Needs a transaction. */
export const supersedeUnchanged = async (
  query: Query,
  ownerId: string,
  actor: Actor,
  earlier: MemoryWithThread,
  later: MemoryWithThread,
): Promise<SupersessionOutcome> => {
  const ids = [earlier.memoryId, later.memoryId]
  const states = await lockForSupersession(query, ownerId, ids)
  const isUnchanged = ({ memoryId, updatedAt }: MemoryWithThread) => {
    const state = states.get(memoryId)
    return state?.isSuperseded === false && state.updatedAt.getTime() === updatedAt.getTime()
  }
  if (!isUnchanged(later)) return 'later changed'
  if (!isUnchanged(earlier)) return 'earlier changed'
  await supersedeMemory(query, ownerId, actor, earlier.memoryId, later.memoryId)
  return 'done'
}

/**
 * Locks the memories that new ones are to supersede.
 * @throws ApiError 404 when one does not exist, 409 when one is superseded or named twice.
 */
export const lockSuperseded = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<void> => {
  if (new Set(memoryIds).size < memoryIds.length) throw memoryError('superseded_twice')
  const states = await lockForSupersession(query, ownerId, memoryIds)
  for (const id of memoryIds) {
    const state = states.get(id)
    if (!state) throw memoryError('superseded_not_found')
    if (state.isSuperseded) throw memoryError('superseded_twice')
  }
}
