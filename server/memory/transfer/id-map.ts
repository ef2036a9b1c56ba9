import type { ImportedMemory } from '../../../shared/contract/transfer.ts'
import type { Query } from '../../platform/db/database.ts'
import { importedId } from './ids.ts'
import { linksOf } from './links.ts'
import { findExistingIds } from './store.ts'

/** The stored ids of the memories that a batch names. */
export interface BatchIds {
  /** The id of a memory that is stored, or about to be, under an id of the file. */
  find(fileId: string): string | undefined
  /** As `find`, or the id that a later batch will store it under. */
  idOf(fileId: string): string
  /** Whether a deleted memory that can be restored has the id. */
  isForgotten(id: string): boolean
  /** Notes the id under which the batch will store a memory. */
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
      const both = [...named].flatMap((id) => [id, importedId(ownerId, id)])
      const existing = await findExistingIds(query, ownerId, new Set(both))
      const isStored = (id: string) => existing.get(id)?.isForgotten === false
      const assigned = new Map<string, string>()
      // The account may have exported the memory itself, or imported it before.
      const find = (id: string): string | undefined =>
        aliases.get(id) ?? assigned.get(id) ?? [id, importedId(ownerId, id)].find(isStored)
      return {
        find,
        idOf: (id) => find(id) ?? importedId(ownerId, id),
        isForgotten: (id) => existing.get(id)?.isForgotten === true,
        assign: (fileId, id) => assigned.set(fileId, id),
      }
    },

    hasAlias: (fileId: string): boolean => aliases.has(fileId),

    /** Notes the stored id of an imported memory. */
    note({ memory_id: fileId }: ImportedMemory, id: string): void {
      if (fileId && id !== fileId && id !== importedId(ownerId, fileId)) aliases.set(fileId, id)
    },
  }
}
