import type { Database, Query } from '../../platform/db/database.ts'

/** \`pg_class\` of a coordinator does not count the rows of the nodes. */
const ANALYZED_ON_NODES = `
select coalesce(sum(result::float8), 0) as count from run_command_on_shards('memories',
  $$ select greatest(reltuples, 0) from pg_class where oid = '%s'::regclass $$)`

/** The number of memories when the table was last analyzed or vacuumed. */
export const countAnalyzed = async ({
  query,
  isDistributed,
}: Pick<Database, 'query' | 'isDistributed'>): Promise<number> => {
  const [row] = await query<{ count: number }>(
    isDistributed
      ? ANALYZED_ON_NODES
      : `select greatest(reltuples, 0) as count from pg_class where oid = 'memories'::regclass`,
    [],
  )
  return row?.count ?? 0
}

/**
 * Within one transaction: every connection then plans its prepared statements again once, and not once for
 * each table.
 */
export const analyzeMemories = async (query: Query): Promise<void> => {
  for (const table of ['memories', 'memory_threads', 'memory_postings'])
    await query(`analyze ${table}`, [])
}
