import type { MemoryStatistics } from '../../../shared/contract/introspect.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Engines } from '../engines/service.ts'
import { readStatistics } from './store.ts'

export type IntrospectService = ReturnType<typeof createIntrospectService>

export const createIntrospectService = ({ query }: Database, engines: Engines) => ({
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
})

const instant = (time: string | null): string | null => time && new Date(time).toISOString()
