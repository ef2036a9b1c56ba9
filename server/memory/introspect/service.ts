import type { MemoryStatistics } from '../../../shared/schemas/introspect.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Engines } from '../engines/service.ts'
import { countAll } from './store.ts'

export type IntrospectService = ReturnType<typeof createIntrospectService>

export const createIntrospectService = ({ query }: Database, engines: Engines) => ({
  /** What the caller has remembered, in numbers. */
  async statistics({ ownerId }: Caller): Promise<MemoryStatistics> {
    const { threads, authors, tags, facts, links, pending, ...memories } = await countAll(
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
