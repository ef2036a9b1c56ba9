import type { Database } from '../../platform/db/database.ts'
import type { Engine } from '../engines/engine.ts'
import { lockForSupersession, supersedeMemory } from '../memories/change.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { findAlike } from './store.ts'

const BATCH = 100
const ACTOR = { kind: 'engine', ref: 'consolidation' }

/**
 * Lets a memory take the place of an earlier one that has the same words in the same order, whatever
 * their case, punctuation and spacing. What happened is left alone: the same words said twice are two
 * events. So is anything less alike: one other word, or its ending, may be another fact.
 */
export const createConsolidation = (database: Database): Engine => {
  const consolidate = async (ownerId: string, memory: MemoryWithThread): Promise<void> => {
    const words = wordsOf(memory.contentText)
    const alike = await findAlike(database.query, ownerId, memory.memoryId)
    const earlier = alike.find((other) => wordsOf(other.contentText) === words)
    if (!earlier) return
    await database.transaction(async (query) => {
      const pair = [earlier.memoryId, memory.memoryId]
      const standing = await lockForSupersession(query, ownerId, pair)
      if (pair.some((id) => standing.get(id)?.isSuperseded !== false)) return
      await supersedeMemory(query, ownerId, ACTOR, earlier.memoryId, memory.memoryId)
    })
  }

  return {
    name: 'consolidation',
    about: 'Lets a memory take the place of an earlier one that says the same in the same words',
    batch: BATCH,
    async run(ownerId, memories) {
      // One that took another's place already tells so; a second would hide the first.
      for (const memory of memories)
        if (memory.memoryType !== 'episodic' && !memory.supersedes)
          await consolidate(ownerId, memory)
    },
  }
}

/** What says nothing by itself. Other signs do: C is not C++, and 5 is not 5%. */
const PUNCTUATION = /[\s.,;:!…"'“”„‘’‚«»()[\]{}–—]+/gu

const wordsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(PUNCTUATION, ' ').trim()
