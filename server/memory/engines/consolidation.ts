import { lowestTrust } from '../../../shared/contract/memories.ts'
import type { Database } from '../../platform/db/database.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { supersedeUnchanged } from '../memories/supersession.ts'
import type { OwnerIndexes } from '../recall/owner-indexes.ts'
import { findSimilar } from './consolidation-store.ts'
import type { Engine } from './engine.ts'
import type { Lease } from './leases.ts'

const BATCH = 100
const ACTOR = { kind: 'engine', ref: 'consolidation' }

/**
 * Supersedes a memory by a later one with the same words in the same order; case, punctuation and
 * spacing may differ. Episodic memories are kept: the same words twice are two events. A different word
 * or ending may be a different fact.
 */
export const createConsolidation = (
  database: Database,
  indexes: Pick<OwnerIndexes, 'open'>,
): Engine => {
  /** @returns false to search again. */
  const consolidate = async (
    ownerId: string,
    memory: MemoryWithThread,
    lease: Lease,
  ): Promise<boolean> => {
    const words = wordsOf(memory.contentText)
    const index = await indexes.open(ownerId)
    const candidates = index ? await findSimilar(database.query, index, memory) : []
    const earlier = candidates.find(
      (other) => wordsOf(other.contentText) === words && isTrustedAs(memory, other),
    )
    if (!earlier) return true
    // If the earlier memory changed meanwhile, another duplicate may exist. A change of this memory has
    // queued a new task.
    const outcome = await database.transaction(async (query) => {
      await lease.confirm(query)
      return supersedeUnchanged(query, ACTOR, earlier, memory)
    })
    return outcome !== 'earlier changed'
  }

  return {
    name: 'consolidation',
    about: 'Supersedes memories by later ones with the same words',
    batch: BATCH,
    async run(ownerId, memories, lease) {
      // A memory supersedes at most one: a second would hide the first.
      for (const memory of memories) {
        let isDone = memory.memoryType === 'episodic' || memory.supersedes !== null
        while (!isDone) isDone = await consolidate(ownerId, memory, lease)
      }
    },
  }
}

/** A text of less trust does not take the place of the same words of the user. */
const isTrustedAs = (later: MemoryWithThread, earlier: MemoryWithThread): boolean =>
  lowestTrust(later.trust, earlier.trust) === earlier.trust

/** Signs without meaning. Others count: C is not C++, and 5 is not 5%. */
const PUNCTUATION = /[\s.,;:!…"'“”„‘’‚«»()[\]{}–—]+/gu

const wordsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(PUNCTUATION, ' ').trim()
