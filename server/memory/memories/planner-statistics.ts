import type { Database } from '../../platform/db/database.ts'
import { analyzeMemories, countAnalyzed } from './store.ts'

/** Fewer new rows change no plan. */
const MIN_ROWS = 200

/**
 * Keeps the planner's statistics up to date during quick growth: plans are kept until the statistics
 * change, and a plan for a few rows reads far too much of many. PostgreSQL's autovacuum analyzes only about
 * once a minute.
 *
 * The tables are analyzed when they have doubled, and not more often: it takes up to a second of processor
 * time, and then every connection plans its statements again.
 */
export const createPlannerStatistics = (
  database: Pick<Database, 'query' | 'transaction' | 'isDistributed'>,
) => {
  let written = 0
  let next = MIN_ROWS
  let isChecking = false

  const check = async (): Promise<void> => {
    const analyzed = await countAnalyzed(database)
    if (written < analyzed) {
      next = analyzed
      return
    }
    written = 0
    await database.transaction(analyzeMemories)
    next = Math.max(MIN_ROWS, await countAnalyzed(database))
  }

  return {
    /** Counts new rows, and analyzes the tables in the background when they have doubled. */
    countWritten(rows: number): void {
      written += rows
      if (written < next || isChecking) return
      isChecking = true
      // Only speed depends on it; a database that fails is reported by the requests that need it.
      check()
        .catch(() => {})
        .finally(() => {
          isChecking = false
        })
    },
  }
}
