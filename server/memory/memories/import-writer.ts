import type { Database } from '../../platform/db/database.ts'
import { mapYielding } from '../../platform/event-loop.ts'
import type { MemoryCaller } from './actor.ts'
import type { Repeated } from './duplicates.ts'
import { type MemoryImport, newImportedMemory, type TrustedImport } from './new-memory.ts'
import { findMemories } from './store.ts'
import type { MemoryDeps, MemoryStoring } from './storing.ts'
import { linkImported } from './successors.ts'

/** Writes memories that were exported elsewhere. */
export const createImportWriter = (
  database: Database,
  { store, complete, onStored }: MemoryStoring,
  { engines, redaction }: Pick<MemoryDeps, 'engines' | 'redaction'>,
) => ({
  /**
   * Stores memories that were exported elsewhere, with their times and relations.
   * @returns the memory that each is stored as: another one, where that has the same content.
   */
  async importAll(
    caller: MemoryCaller,
    imported: MemoryImport[],
  ): Promise<{ memoryId: string; deduplicated: boolean }[]> {
    if (imported.length === 0) return []
    const rows = await mapYielding(imported, async (memory) =>
      newImportedMemory(await redaction.imported(memory)),
    )
    const { bulk } = database
    const stored = await store(bulk.query, caller, rows, engines.importNames)
    await complete(bulk.transaction, caller, rows, stored)
    onStored(caller, rows.length)
    return stored.map(({ memory: { memoryId }, deduplicated }) => ({ memoryId, deduplicated }))
  },

  /** Completes the chains of supersessions that an import leaves open. Call it after the last memory of a file. */
  async linkImported({ ownerId }: MemoryCaller): Promise<void> {
    await database.bulk.transaction((query) => linkImported(query, ownerId, engines.importNames))
    engines.schedule(ownerId)
  },

  /** @param duplicates imported memories, and the ids of those with the same content. */
  async addToDuplicates(
    caller: MemoryCaller,
    duplicates: ReadonlyMap<TrustedImport, string>,
  ): Promise<void> {
    if (duplicates.size === 0) return
    const found = await findMemories(database.bulk.db, caller.ownerId, [...duplicates.values()])
    const byId = new Map(found.map((memory) => [memory.memoryId, memory]))
    const pairs = [...duplicates].flatMap(([imported, id]) => {
      const memory = byId.get(id)
      return memory ? [{ row: repeatedImport(imported), memory }] : []
    })
    await complete(
      database.bulk.transaction,
      caller,
      pairs.map(({ row }) => row),
      pairs.map(({ memory }) => ({ memory, deduplicated: true })),
    )
  },
})

const repeatedImport = ({ tags, importance, trust }: TrustedImport): Repeated => ({
  tags,
  importance: importance ?? null,
  trust,
})
