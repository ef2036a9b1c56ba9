import type { Query } from '../../platform/db/database.ts'

/** The pools of svc name their connections `svc`, `svc background` and `svc bulk`. */
const CONNECTIONS = `
select application_name as pool, coalesce(state, 'unknown') as state, count(*)::int as count
from pg_stat_activity
where datname = current_database() and application_name ~ '^svc( |$)'
group by 1, 2`

interface ConnectionCount {
  pool: string
  state: string
  count: number
}

/** The connections of every svc process to the database, by pool and state. */
export const countConnections = (query: Query): Promise<ConnectionCount[]> =>
  query<ConnectionCount>(CONNECTIONS, [])
