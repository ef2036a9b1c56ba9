import type { Query } from '../../platform/db/database.ts'
import { eraseMemory } from './delete-store.ts'
import { type MemorySet, memoriesIn } from './set-store.ts'
import {
  clearSuperseded,
  findLinks,
  findSameContent,
  forgetLinks,
  listAllOrphans,
  listCircular,
  listOrphans,
  listReleased,
  listUnlinked,
  relink,
  SUCCESSOR_ACTOR,
  type Superseded,
  supersedeDeleted,
} from './successors-store.ts'
import { reinstateMemory, supersedeMemory } from './supersede-store.ts'

/** Chains are followed so far. */
const MAX_CHAIN = 1_000

/** The next memory of a chain that is not deleted. */
const nextLive = async (
  query: Query,
  ownerId: string,
  { superseded_by }: Superseded,
): Promise<string | undefined> => {
  let next: string | null = superseded_by
  for (let length = 0; next !== null && length < MAX_CHAIN; length++) {
    const links = await findLinks(query, ownerId, next)
    if (!links) return undefined
    if (!links.is_deleted) return next
    next = links.superseded_by
  }
  return undefined
}

/** Lets memories whose successor is gone name the one after it; without one, they are current again. */
const release = async (
  query: Query,
  ownerId: string,
  orphans: Superseded[],
  engines: readonly string[],
): Promise<void> => {
  for (const orphan of orphans) {
    const { memory_id: memoryId, superseded_by: former } = orphan
    const successor = await nextLive(query, ownerId, orphan)
    if (successor) await relink(query, ownerId, { memoryId, successor, former })
    else await makeCurrent(query, ownerId, orphan, engines)
  }
}

/** Lets a superseded memory count again, unless another memory says the same. */
const makeCurrent = async (
  query: Query,
  ownerId: string,
  { memory_id: memoryId, superseded_by: former }: Superseded,
  engines: readonly string[],
): Promise<void> => {
  const successor = await findSameContent(query, ownerId, memoryId)
  if (successor) return relink(query, ownerId, { memoryId, successor, former })
  const actor = { kind: SUCCESSOR_ACTOR, ref: former }
  await reinstateMemory(query, { ownerId, memoryId, actor }, engines)
}

/** Call it after memories of a set were deleted, within the transaction: what they superseded counts again. */
export const releaseSuperseded = async (
  query: Query,
  set: MemorySet,
  engines: readonly string[],
): Promise<void> => release(query, set.ownerId, await listOrphans(query, set), engines)

/**
 * Completes the chains of an owner after an import. A memory whose successor is in no file yet is current, until a
 * later file has it.
 */
export const linkImported = async (
  query: Query,
  ownerId: string,
  engines: readonly string[],
): Promise<void> => {
  await release(query, ownerId, await listAllOrphans(query, ownerId), engines)
  await endCircles(query, ownerId, engines)
  for (const { memory_id: supersedingId, supersedes: memoryId } of await listUnlinked(
    query,
    ownerId,
  )) {
    const links = await findLinks(query, ownerId, memoryId)
    if (!links || links.superseded_by || (await leadsTo(query, ownerId, supersedingId, memoryId)))
      continue
    const actor = { kind: SUCCESSOR_ACTOR, ref: supersedingId }
    await supersedeMemory(query, { ownerId, actor, memoryId, supersedingId })
  }
}

/** Of memories that supersede each other, the last one is current. */
const endCircles = async (
  query: Query,
  ownerId: string,
  engines: readonly string[],
): Promise<void> => {
  const next = new Map(
    (await listCircular(query, ownerId)).map((each) => [each.memory_id, each.superseded_by]),
  )
  const isInCircle = (memoryId: string) => {
    const seen = new Set<string>()
    for (let id = next.get(memoryId); id !== undefined && !seen.has(id); id = next.get(id)) {
      if (id === memoryId) return true
      seen.add(id)
    }
    return false
  }
  for (const [memoryId, former] of [...next]) {
    if (!isInCircle(memoryId)) continue
    next.delete(memoryId)
    await makeCurrent(query, ownerId, { memory_id: memoryId, superseded_by: former }, engines)
  }
}

/** Whether the successors of a memory come to another one, which a file may claim. */
const leadsTo = async (
  query: Query,
  ownerId: string,
  memoryId: string,
  other: string,
): Promise<boolean> => {
  let next: string | null = memoryId
  for (let length = 0; next !== null && length < MAX_CHAIN; length++) {
    if (next === other) return true
    next = (await findLinks(query, ownerId, next))?.superseded_by ?? null
  }
  return next !== null
}

/**
 * Call it after memories were restored, within the transaction: they supersede again what became current
 * because they were deleted, and are current if their own successor is gone.
 */
export const reclaimSuperseded = async (
  query: Query,
  ownerId: string,
  memoryIds: readonly string[],
  engines: readonly string[],
): Promise<void> => {
  for (const memoryId of memoryIds) {
    const links = await findLinks(query, ownerId, memoryId)
    if (!links || links.is_deleted) continue
    const { supersedes: earlier, superseded_by } = links
    const before = earlier && (await findLinks(query, ownerId, earlier))
    if (superseded_by) {
      const next = await nextLive(query, ownerId, { memory_id: memoryId, superseded_by })
      if (next !== superseded_by)
        await release(query, ownerId, [{ memory_id: memoryId, superseded_by }], engines)
      if (next && before && before.superseded_by === next) {
        await relink(query, ownerId, { memoryId: earlier, successor: memoryId, former: earlier })
        await relink(query, ownerId, { memoryId, successor: next, former: earlier })
      }
    }
    // Its other successor was deleted after this memory.
    if (before && !before.is_deleted && !before.superseded_by)
      await supersedeMemory(query, {
        ownerId,
        memoryId: earlier,
        supersedingId: memoryId,
        actor: { kind: SUCCESSOR_ACTOR, ref: memoryId },
      })
    await reclaim(query, ownerId, { memoryId, successor: memoryId })
    await clearSuperseded(query, ownerId, memoryId)
  }
}

/** Lets a successor supersede what became current when a memory was deleted, also through deleted ones between. */
const reclaim = async (
  query: Query,
  ownerId: string,
  { memoryId, successor }: { memoryId: string; successor: string },
): Promise<void> => {
  const actor = { kind: SUCCESSOR_ACTOR, ref: successor }
  for (const released of await listReleased(query, ownerId, memoryId)) {
    const { memory_id, is_deleted } = released
    if (memory_id === successor) continue
    if (is_deleted) {
      await supersedeDeleted(query, ownerId, { memoryId: memory_id, successor })
      await reclaim(query, ownerId, { memoryId: memory_id, successor })
    } else {
      await supersedeMemory(query, {
        ownerId,
        actor,
        memoryId: memory_id,
        supersedingId: successor,
      })
    }
  }
}

/**
 * Erases a memory that was deleted before, within a transaction, so that no other names it.
 * @returns whether there was such a memory.
 */
export const eraseDeleted = async (
  query: Query,
  ownerId: string,
  memoryId: string,
  engines: readonly string[],
): Promise<boolean> => {
  const links = await findLinks(query, ownerId, memoryId)
  if (!links) return false
  await releaseSuperseded(query, memoriesIn(ownerId, [memoryId]), engines)
  const isErased = await eraseMemory(query, ownerId, memoryId)
  await forgetLinks(query, ownerId, memoryId, links.superseded_by)
  return isErased
}
