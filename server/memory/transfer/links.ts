import { isUuid } from '../../../shared/contract/common.ts'
import type { ImportedMemory } from '../../../shared/contract/transfer.ts'
import type { Query } from '../../platform/db/database.ts'
import type { BatchIds } from './id-map.ts'
import { type LinkUpdate, updateLinks } from './store.ts'

/** The memory ids in `metadata.links` of an imported memory. */
export const linksOf = ({ metadata }: ImportedMemory): string[] =>
  (Array.isArray(metadata.links) ? metadata.links : [])
    .filter((link) => typeof link === 'string')
    .map((link) => link.toLowerCase())
    .filter((link) => isUuid(link))

/** Translates the links between imported memories from ids of the file to stored ids. */
export const createLinkTranslation = (query: Query, ownerId: string) => {
  /** Stored memories with links to memories that have not been read yet, by the id in the file. */
  const waiting = new Map<string, Set<string>>()
  return {
    /** The metadata of a memory with stored ids; unknown ids stay until their memory is read. */
    translate(memory: ImportedMemory, id: string, ids: BatchIds): ImportedMemory['metadata'] {
      if (linksOf(memory).length === 0) return memory.metadata
      const links = (memory.metadata.links as unknown[]).map((link) => {
        const fileId = typeof link === 'string' ? link.toLowerCase() : ''
        if (!isUuid(fileId)) return link
        const stored = ids.find(fileId)
        if (!stored) waiting.set(fileId, (waiting.get(fileId) ?? new Set()).add(id))
        return stored ?? link
      })
      return { ...memory.metadata, links }
    },

    /** Updates stored links to the memories of a batch. */
    async complete(batch: ImportedMemory[], ids: BatchIds): Promise<void> {
      const updates = new Map<string, LinkUpdate>()
      for (const fileId of batch.flatMap(({ memory_id }) => memory_id ?? [])) {
        const memoryIds = waiting.get(fileId)
        waiting.delete(fileId)
        for (const memory_id of memoryIds ?? []) {
          const update = updates.get(memory_id) ?? { memory_id, ids: {} }
          update.ids[fileId] = ids.idOf(fileId)
          updates.set(memory_id, update)
        }
      }
      if (updates.size) await updateLinks(query, ownerId, [...updates.values()])
    },
  }
}
