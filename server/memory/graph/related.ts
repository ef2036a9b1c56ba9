import type { RelatedMemories } from '../../../shared/contract/graph.ts'
import type { Memory } from '../../../shared/contract/memories.ts'
import type { Database } from '../../platform/db/database.ts'
import type { MemoryService } from '../memories/service.ts'
import type { MemoryCaller } from '../memories/writer.ts'
import { listRelated, type RelatedRow } from './related-store.ts'

export type RelatedService = ReturnType<typeof createRelatedService>

/** The memories around one memory. */
export const createRelatedService = (
  { query }: Pick<Database, 'query'>,
  memories: Pick<MemoryService, 'get' | 'listByIds'>,
) => ({
  /** @throws ApiError 404 when the memory does not exist or is deleted. */
  async related(
    caller: MemoryCaller,
    memoryId: string,
    neighborCount: number,
  ): Promise<RelatedMemories> {
    await memories.get(caller, memoryId)
    const rows = await listRelated(query, caller.ownerId, memoryId, neighborCount)
    const ids = [...new Set(rows.map(({ memory_id }) => memory_id))]
    const found = await memories.listByIds(caller, ids)
    const byId = new Map(found.map((memory) => [memory.memory_id, memory]))
    return present(rows, byId)
  },
})

const present = (rows: RelatedRow[], byId: Map<string, Memory>): RelatedMemories => {
  const inRole = (role: RelatedRow['role']) =>
    rows.flatMap((row) => (row.role === role ? (byId.get(row.memory_id) ?? []) : []))
  return {
    before: inRole('before'),
    after: inRole('after'),
    links: rows.flatMap(({ memory_id, kind, weight }) => {
      const memory = byId.get(memory_id)
      return memory && kind ? [{ memory, kind, weight: weight ?? 0 }] : []
    }),
    earlier_versions: inRole('earlier'),
    later_versions: inRole('later'),
  }
}
