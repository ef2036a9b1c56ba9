import type { Database } from '../../platform/db/database.ts'
import type { Engine } from '../engines/engine.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { succeed } from '../memories/succession.ts'
import { findAlike } from './store.ts'

const BATCH = 100
const ACTOR = { kind: 'engine', ref: 'consolidation' }

/**
 * Lets a memory take the place of an earlier one that has the same words in the same order, whatever
 * their case, punctuation and spacing. What happened is left alone: the same words said twice are two
 * events. So is anything less alike: one other word, or its ending, may be another fact.
 */
export const createConsolidation = (database: Database): Engine => {
  /** @returns whether there is nothing left to look for. */
  const consolidate = async (ownerId: string, memory: MemoryWithThread): Promise<boolean> => {
    const words = wordsOf(memory.contentText)
    const alike = await findAlike(database.query, ownerId, memory.memoryId)
    const earlier = alike.find((other) => wordsOf(other.contentText) === words)
    if (!earlier) return true
    // Whoever changes one of them at this moment means something else by it. An earlier one is looked
    // for once more; what becomes of this one is for a later run, which its change has queued.
    const outcome = await succeed(database, ownerId, ACTOR, earlier, memory)
    return outcome !== 'earlier changed'
  }

  return {
    name: 'consolidation',
    about: 'Lets a memory take the place of an earlier one that says the same in the same words',
    batch: BATCH,
    async run(ownerId, memories) {
      // One that took another's place already tells so; a second would hide the first.
      for (const memory of memories) {
        let isDone = memory.memoryType === 'episodic' || memory.supersedes !== null
        while (!isDone) isDone = await consolidate(ownerId, memory)
      }
    },
  }
}

/** What says nothing by itself. Other signs do: C is not C++, and 5 is not 5%. */
const PUNCTUATION = /[\s.,;:!…"'“”„‘’‚«»()[\]{}–—]+/gu

const wordsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(PUNCTUATION, ' ').trim()
