import { isUuid } from '../../../shared/contract/common.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Engine } from '../engines/engine.ts'
import type { Lease } from '../engines/leases.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { wordLinks } from './links.ts'
import { GRAPH_ENGINE } from './score-store.ts'
import type { Scoring } from './scoring.ts'
import {
  countMemories,
  findAffected,
  findIds,
  findRareWords,
  type Link,
  replaceLinks,
} from './store.ts'

const BATCH = 50
/** Maximal links from the metadata of a memory. */
const MAX_EXPLICIT = 64

/** Links memories with shared rare words or references in metadata, and requests new scores. */
export const createLinking = (database: Database, scoring: Pick<Scoring, 'noteChange'>): Engine => {
  const { query } = database

  /** Links of memories that changed meanwhile are replaced again, because their task remains. */
  const replace = (lease: Lease, ...args: DropFirst<Parameters<typeof replaceLinks>>) =>
    database.transaction(async (within) => {
      await lease.confirm(within)
      return replaceLinks(within, ...args)
    })

  const link = async (
    ownerId: string,
    memories: MemoryWithThread[],
    lease: Lease,
  ): Promise<void> => {
    const targets = new Map(memories.map(({ seq, memoryId }) => [seq, memoryId]))
    const own = await findRareWords(query, ownerId, [...targets.keys()])
    const sharing = new Set(own.flatMap(({ seqs }) => seqs).filter((seq) => !targets.has(seq)))
    // A link belongs to the later memory, and may change with the words of the earlier one.
    const later = [...sharing].filter((seq) => memories.some((memory) => memory.seq < seq))
    const memoryIds = [...targets.values()]
    const affected = await findAffected(query, ownerId, memoryIds, later, GRAPH_ENGINE)
    for (const [seq, id] of affected) targets.set(seq, id)
    const words = affected.size ? await findRareWords(query, ownerId, [...targets.keys()]) : own

    const found = wordLinks(targets.keys(), words, await countMemories(query, ownerId))
    const ids = await findIds(query, ownerId, [...new Set(found.flatMap((l) => [l.seq, l.other]))])
    const byWords = found.flatMap(({ seq, other, weight }): Link[] => {
      const [memory_id, other_id] = [ids.get(seq), ids.get(other)]
      return memory_id && other_id ? [{ memory_id, other_id, kind: 'words', weight }] : []
    })
    const links = [...byWords, ...memories.flatMap(explicitLinks)]
    // Neighbours in a thread are edges of the graph without rows in the table of links. An update may move a
    // memory out of its thread.
    const changesThreads = memories.some(
      ({ position, createdAt, updatedAt }) => position !== null || updatedAt > createdAt,
    )
    const changing = [...targets.values()]
    if (await replace(lease, ownerId, changing, memoryIds, links, changesThreads))
      scoring.noteChange(ownerId)
  }

  return {
    name: GRAPH_ENGINE,
    about: 'Links memories by shared rare words and references, and scores how central they are',
    batch: BATCH,
    async run(ownerId, memories, lease) {
      if (memories.length) await link(ownerId, memories, lease)
      // All memories of the batch were deleted or superseded, with their links.
      else if (await replace(lease, ownerId, [], [], [], true)) scoring.noteChange(ownerId)
    },
  }
}

type DropFirst<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

/** Links to the memory ids in `metadata.links`. */
const explicitLinks = ({ memoryId, metadata }: MemoryWithThread): Link[] => {
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
