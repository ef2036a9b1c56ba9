import type { AdminStats } from '../../../shared/contract/admin.ts'
import type { EngineControl } from '../../memory/engines/control.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { countRows } from './store.ts'

export type StatsService = ReturnType<typeof createStatsService>

/** Totals of the server and lengths of its queues. */
export const createStatsService = (
  database: Database,
  jobs: Pick<Jobs, 'counts'>,
  engines: Pick<EngineControl, 'list'>,
) => ({
  async read(): Promise<AdminStats> {
    const [counts, jobCounts, engineStates] = await Promise.all([
      countRows(database.query),
      jobs.counts(),
      engines.list(),
    ])
    const { sessions, api_keys, organizations, memories, messages } = counts
    const { total, verified, disabled, active_24h, active_30d } = counts
    return {
      users: { total, verified, disabled, active_24h, active_30d },
      sessions,
      api_keys,
      organizations,
      memories,
      messages,
      emails: { queued: counts.emails_queued, failed: counts.emails_failed },
      jobs: jobCounts,
      engines: engineStates.map(({ engine, enabled, pending }) => ({ engine, enabled, pending })),
      database: { kind: database.kind, size_bytes: counts.size_bytes },
    }
  },
})
