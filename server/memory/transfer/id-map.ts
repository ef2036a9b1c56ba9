import { createHash } from 'node:crypto'
import { isUuid } from '../../../shared/contract/common.ts'
import type { ImportedMemory } from '../../../shared/contract/transfer.ts'
import type { Query } from '../../platform/db/database.ts'
import { findExistingIds, type LinkUpdate, updateLinks } from './store.ts'

/** The stored ids of the memories that a batch names. */
export interface BatchIds {
  /** The id of a memory that is stored, or about to be, under an id of the file. */
  find(fileId: string): string | undefined
  /** As `find`, or the id that a later batch will store it under. */
  idOf(fileId: string): string
  /** The id that follows from the id in the file. */
  expectedOf(fileId: string): string
  /** Whether a deleted memory that can be restored has the id. */
  isForgotten(id: string): boolean
  /** Records the id under which the batch will store a memory. */
  assign(fileId: string, id: string): void
}

/** Maps the ids of a file to the ids of stored memories. */
export const createIdMap = (query: Query, ownerId: string) => {
  /** Stored ids that do not follow from the id in the file. */
  const aliases = new Map<string, string>()
  return {
    /** Looks up all ids that the batch names. */
    async load(batch: ImportedMemory[]): Promise<BatchIds> {
      const named = new Set(
        batch.flatMap((memory) => [
          ...[memory.memory_id, memory.supersedes, memory.superseded_by].flatMap((id) => id ?? []),
          ...linksOf(memory),
        ]),
      )
      const expectedOf = (id: string) => importedId(ownerId, id)
      const both = [...named].flatMap((id) => [id, expectedOf(id)])
      const existing = await findExistingIds(query, ownerId, new Set(both))
      const isStored = (id: string) => existing.get(id)?.isForgotten === false
      const assigned = new Map<string, string>()
      // The account may have exported the memory itself, or imported it before.
      const find = (id: string): string | undefined =>
        aliases.get(id) ?? assigned.get(id) ?? [id, expectedOf(id)].find(isStored)
      return {
        find,
        idOf: (id) => find(id) ?? expectedOf(id),
        expectedOf,
        isForgotten: (id) => existing.get(id)?.isForgotten === true,
        assign: (fileId, id) => assigned.set(fileId, id),
      }
    },

    hasAlias: (fileId: string): boolean => aliases.has(fileId),

    /** Records the stored id of an imported memory, unless it follows from the file. */
    addAlias({ memory_id: fileId }: ImportedMemory, id: string): void {
      if (fileId && id !== fileId && id !== importedId(ownerId, fileId)) aliases.set(fileId, id)
    },
  }
}

/**
 * The stored id of a memory with an id in a file, derived from both ids: a second import finds the
 * memory, and references may precede it. The time and counter of a UUIDv7 are kept, so that stored ids
 * sort as those of the file.
 */
const importedId = (ownerId: string, fileId: string): string => {
  const source = fileId.toLowerCase()
  const hash = createHash('sha256').update(`${ownerId} ${source}`).digest('hex')
  const start = source[14] === '7' ? source.slice(0, 18) : '00000000-0000-7000'
  // Variant 2 (RFC 9562, section 5.7), with a hash in place of the random bits.
  const variant = '89ab'[Number.parseInt(hash[0] ?? '', 16) % 4]
  return `${start}-${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The memory ids in `metadata.links` of an imported memory. */
const linksOf = ({ metadata }: ImportedMemory): string[] =>
  listOf(metadata.links)
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
      const links = listOf(memory.metadata.links).map((link) => {
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
