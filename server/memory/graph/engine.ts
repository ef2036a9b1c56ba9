import { isUuid } from '../../../shared/schemas/common.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Engine } from '../engines/engine.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { wordLinks } from './links.ts'
import { GRAPH } from './scores.ts'
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
/** So many of the memories that one names are linked to it. */
const MAX_EXPLICIT = 64

/** Links memories to others that share rare words, or that they name, and has their graph computed. */
export const createLinking = (
  database: Database,
  scoring: Pick<Scoring, 'request' | 'stop'>,
): Engine => {
  const { query } = database

  const link = async (ownerId: string, memories: MemoryWithThread[]): Promise<void> => {
    const targets = new Map(memories.map(({ seq, memoryId }) => [seq, memoryId]))
    const own = await findRareWords(query, ownerId, [...targets.keys()])
    const sharing = new Set(own.flatMap(({ seqs }) => seqs).filter((seq) => !targets.has(seq)))
    // The later ones of a pair has the link, so theirs may change with the words of an earlier one.
    const later = [...sharing].filter((seq) => memories.some((memory) => memory.seq < seq))
    const memoryIds = [...targets.values()]
    const affected = await findAffected(query, ownerId, memoryIds, later, GRAPH)
    for (const [seq, id] of affected) targets.set(seq, id)
    const words = affected.size ? await findRareWords(query, ownerId, [...targets.keys()]) : own

    const found = wordLinks(targets.keys(), words, await countMemories(query, ownerId))
    const ids = await findIds(query, ownerId, [...new Set(found.flatMap((l) => [l.seq, l.other]))])
    const byWords = found.flatMap(({ seq, other, weight }): Link[] => {
      const [memory_id, other_id] = [ids.get(seq), ids.get(other)]
      return memory_id && other_id ? [{ memory_id, other_id, kind: 'words', weight }] : []
    })
    const links = [...byWords, ...memories.flatMap(explicitLinks)]
    await replaceLinks(query, ownerId, [...targets.values()], memoryIds, links)
  }

  return {
    name: GRAPH,
    about:
      'Links memories that share rare words or name each other, and finds those that join others',
    batch: BATCH,
    async run(ownerId, memories) {
      if (memories.length) await link(ownerId, memories)
      await scoring.request(ownerId)
    },
    stop: scoring.stop,
  }
}

/** Links to the memories that one names in its metadata, as `links`. */
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
