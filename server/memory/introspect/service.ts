import { type MemoryStatistics, memoryStatistics } from '../../../shared/contract/introspect.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Engines } from '../engines/service.ts'
import { countStored, readStatistics } from './store.ts'

export type IntrospectService = ReturnType<typeof createIntrospectService>

export const createIntrospectService = (
  { query }: Pick<Database, 'query'>,
  engines: Pick<Engines, 'names'>,
) => ({
  /** Counts of the caller's memories, facts and links. */
  async statistics({ ownerId }: Caller): Promise<MemoryStatistics> {
    const { threads, authors, tags, facts, links, pending, ...memories } = await readStatistics(
      query,
      ownerId,
    )
    return {
      memories: {
        ...memories,
        oldest: instant(memories.oldest),
        newest: instant(memories.newest),
      },
      threads,
      authors,
      tags,
      facts,
      links,
      engines: engines.names.map((engine) => ({ engine, pending: pending[engine] ?? 0 })),
    }
  },

  /** The numbers of live memories that were stored before each of the times, which ascend. */
  countStored: (ownerId: string, times: readonly string[]): Promise<number[]> =>
    countStored(query, ownerId, times),
})

const instant = (time: string | null): string | null => time && new Date(time).toISOString()

export const introspectRoutes = (mount: Mount, introspect: IntrospectService): void => {
  mount(memoryStatistics, ({ caller }) => introspect.statistics(caller))
}
