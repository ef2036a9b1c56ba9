import type { ServerRole } from '../../shared/contract/health.ts'

/** The work of a server, by its role. Several servers share one database. */
export interface Duties {
  role: ServerRole
  /** Serves the API, the pages and the console. Otherwise only health and metrics are served. */
  servesApi: boolean
  /** Runs jobs, engines, backfills and retention. Otherwise it leaves them to the servers that do. */
  runsBackgroundWork: boolean
}

export const dutiesOf = (role: ServerRole): Duties => ({
  role,
  servesApi: role !== 'worker',
  runsBackgroundWork: role !== 'web',
})
