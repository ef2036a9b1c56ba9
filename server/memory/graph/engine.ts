import { isUuid } from '../../../shared/contract/common.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Engine } from '../engines/engine.ts'
import type { Lease } from '../engines/leases.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { termsOf } from '../memories/terms.ts'
import type { OwnerIndexes } from '../recall/owner-indexes.ts'
import { type RareWord, rareWords } from './rare-words.ts'
import { GRAPH_ENGINE } from './score-store.ts'
import type { Scoring } from './scoring.ts'
import {
  findAffected,
  findIds,
  type LinkChanges,
  listTerms,
  type MemoryLink,
  replaceLinks,
} from './store.ts'

const BATCH = 50
/** Maximal links of a memory to earlier ones with shared words. */
const MAX_LINKS = 8
/** Maximal links from the metadata of a memory. */
const MAX_EXPLICIT = 64

const NO_LINKS: LinkChanges = { memoryIds: [], explicitIds: [], links: [], isOutdated: true }

/** Links memories with shared rare words or references in metadata, and requests new scores. */
export const createLinking = (
  database: Database,
  scoring: Pick<Scoring, 'onLinksChanged'>,
  indexes: Pick<OwnerIndexes, 'open'>,
): Engine => {
  const { query } = database

  /** Links of memories that changed meanwhile are replaced again, because their task remains. */
  const replace = async (ownerId: string, lease: Lease, changes: LinkChanges): Promise<void> => {
    const isOutdated = await database.transaction(async (within) => {
      await lease.confirm(within)
      return replaceLinks(within, ownerId, changes)
    })
    if (isOutdated) scoring.onLinksChanged(ownerId)
  }

  const link = async (
    ownerId: string,
    memories: MemoryWithThread[],
    lease: Lease,
  ): Promise<void> => {
    const targets = new Map(memories.map(({ seq, memoryId }) => [seq, memoryId]))
    const index = await indexes.open(ownerId)
    if (!index) return
    const rareWordsOf = async (seqs: Iterable<number>): Promise<RareWord[]> => {
      const stored = await listTerms(query, ownerId, [...seqs])
      return rareWords(index, await Promise.all(stored.map(termsOf)))
    }
    const own = await rareWordsOf(targets.keys())
    const sharing = new Set(own.flatMap(({ seqs }) => seqs).filter((seq) => !targets.has(seq)))
    // A link belongs to the later memory, and may change with the words of the earlier one.
    const later = [...sharing].filter((seq) => memories.some((memory) => memory.seq < seq))
    const memoryIds = [...targets.values()]
    const affected = await findAffected(query, ownerId, memoryIds, later)
    for (const [seq, id] of affected) targets.set(seq, id)
    const words = affected.size ? await rareWordsOf(targets.keys()) : own

    const found = wordLinks(targets.keys(), words, index.liveCount)
    const ids = await findIds(query, ownerId, [...new Set(found.flatMap((l) => [l.seq, l.other]))])
    const byWords = found.flatMap(({ seq, other, weight }): MemoryLink[] => {
      const [memory_id, other_id] = [ids.get(seq), ids.get(other)]
      return memory_id && other_id ? [{ memory_id, other_id, kind: 'words', weight }] : []
    })
    // Neighbours in a thread are edges of the graph without rows in the table of links. An update may move a
    // memory out of its thread.
    const changesThreads = memories.some(
      ({ position, createdAt, updatedAt }) => position !== null || updatedAt > createdAt,
    )
    await replace(ownerId, lease, {
      memoryIds: [...targets.values()],
      explicitIds: memoryIds,
      links: [...byWords, ...memories.flatMap(explicitLinks)],
      isOutdated: changesThreads,
    })
  }

  return {
    name: GRAPH_ENGINE,
    about: 'Links memories by shared rare words and references, and scores how central they are',
    batch: BATCH,
    async run(ownerId, memories, lease) {
      if (memories.length) await link(ownerId, memories, lease)
      // All memories of the batch were deleted or superseded, with their links.
      else await replace(ownerId, lease, NO_LINKS)
    },
  }
}

/** Links to the memory ids in `metadata.links`. */
const explicitLinks = ({ memoryId, metadata }: MemoryWithThread): MemoryLink[] => {
  const { links } = metadata
  if (!Array.isArray(links)) return []
  const ids = links
    .filter((id): id is string => typeof id === 'string' && isUuid(id))
    .map((id) => id.toLowerCase())
  return [...new Set(ids)]
    .filter((id) => id !== memoryId)
    .slice(0, MAX_EXPLICIT)
    .map((other_id) => ({ memory_id: memoryId, other_id, kind: 'explicit', weight: 1 }))
}

/** A link of a memory to an earlier one with shared rare words. */
interface WordLink {
  seq: number
  other: number
  weight: number
}

/** The inverse document frequency of BM25. */
const idf = (count: number, total: number): number =>
  Math.log(1 + (total - count + 0.5) / (count + 0.5))

/**
 * The links of memories to the earlier memories with the most, or the rarest, words in common.
 * @param words all rare words of the memories `seqs`
 * @param total the number of memories of their owner
 */
export const wordLinks = (seqs: Iterable<number>, words: RareWord[], total: number): WordLink[] => {
  const shared = new Map(Array.from(seqs, (seq) => [seq, new Map<number, number>()]))
  for (const { seqs: holders } of words)
    for (const seq of holders) {
      const others = shared.get(seq)
      if (!others) continue
      const weight = idf(holders.length, total)
      for (const other of holders)
        if (other < seq) others.set(other, (others.get(other) ?? 0) + weight)
    }
  return [...shared].flatMap(([seq, others]) =>
    [...others]
      .toSorted(([a, weightA], [b, weightB]) => weightB - weightA || b - a)
      .slice(0, MAX_LINKS)
      .map(([other, weight]) => ({ seq, other, weight: Math.round(weight * 1000) / 1000 })),
  )
}
