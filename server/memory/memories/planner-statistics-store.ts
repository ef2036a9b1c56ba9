import type { Query } from '../../platform/db/database.ts'

/** The number of memories when the table was last analyzed or vacuumed. */
export const countAnalyzed = async (query: Query): Promise<number> => {
  const [row] = await query<{ count: number }>(
    `select greatest(reltuples, 0) as count from pg_class where oid = 'memories'::regclass`,
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
