import type { Trust } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { type Actor, isBelow } from './actor.ts'
import { memoryError } from './errors.ts'
import type { MemoryWithThread } from './store.ts'
import { lockForSupersession, supersedeMemory } from './supersede-store.ts'

/** `done`, or which of the two was changed after it was read. */
type SupersessionOutcome = 'done' | 'earlier changed' | 'later changed'

/** Lets `later` supersede `earlier`, unless one of them was changed after it was read. Needs a transaction. */
export const supersedeUnchanged = async (
  query: Query,
  actor: Actor,
  earlier: MemoryWithThread,
  later: MemoryWithThread,
): Promise<SupersessionOutcome> => {
  const { ownerId, memoryId: supersedingId } = later
  const ids = [earlier.memoryId, supersedingId]
  const states = await lockForSupersession(query, ownerId, ids)
  const isUnchanged = ({ memoryId, updatedAt }: MemoryWithThread) => {
    const state = states.get(memoryId)
    return state?.isSuperseded === false && state.updatedAt.getTime() === updatedAt.getTime()
  }
  if (!isUnchanged(later)) return 'later changed'
  if (!isUnchanged(earlier)) return 'earlier changed'
  await supersedeMemory(query, { ownerId, actor, memoryId: earlier.memoryId, supersedingId })
  return 'done'
}

/**
 * Locks the memories that new ones are to supersede.
 * @returns their trust, by id.
 * @throws ApiError 404 when one does not exist, 409 when one is superseded or named twice.
 */
export const lockSuperseded = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
): Promise<Map<string, Trust>> => {
  if (new Set(memoryIds).size < memoryIds.length) throw memoryError('superseded_twice')
  const states = await lockForSupersession(query, ownerId, memoryIds)
  for (const id of memoryIds) {
    const state = states.get(id)
    if (!state) throw memoryError('superseded_not_found')
    if (state.isSuperseded) throw memoryError('superseded_twice')
  }
  return new Map([...states].map(([id, { trust }]) => [id, trust]))
}

/** The levels of text that someone other than the user and their assistants may have written. */
const FOREIGN: readonly Trust[] = ['imported', 'external']

/**
 * Text that someone else may have written replaces none that is trusted more, unless the user says so.
 * @throws ApiError 403 where it would.
 */
export const checkSupersedingTrust = (
  { caller, superseding }: { caller: Trust; superseding: Trust },
  superseded: Trust | undefined,
): void => {
  if (caller === 'user' || !superseded || !FOREIGN.includes(superseding)) return
  if (isBelow(superseding, superseded)) throw memoryError('superseded_is_trusted')
}

/**
 * Locks a memory and one that it is to supersede.
 * @returns false when the one superseded the other before, so that a retry succeeds.
 * @throws ApiError 404 when the other does not exist, 409 when another one superseded it.
 */
export const lockPair = async (
  query: Query,
  ownerId: string,
  memoryId: string,
  supersedes: string,
  caller: Trust,
): Promise<boolean> => {
  if (supersedes === memoryId) throw memoryError('supersedes_itself')
  const states = await lockForSupersession(query, ownerId, [memoryId, supersedes])
  const superseded = states.get(supersedes)
  if (!superseded) throw memoryError('superseded_not_found')
  if (superseded.isSuperseded && superseded.supersededBy !== memoryId)
    throw memoryError('superseded_twice')
  const superseding = states.get(memoryId)?.trust ?? caller
  checkSupersedingTrust({ caller, superseding }, superseded.trust)
  return !superseded.isSuperseded
}
