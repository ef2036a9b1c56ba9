import type { Database } from '../../platform/db/database.ts'

const FIRST_AT = 200

/**
 * Keeps the planner's picture of the memory tables from lagging behind a quick growth: plans are kept
 * for as long as it stands, and one made for a few rows reads far too much of many. PostgreSQL looks
 * after this by itself, but only about once a minute, and the embedded one not at all.
 */
export const createStatistics = (database: Database) => {
  let written = 0
  let next = FIRST_AT
  return {
    /** Notes new rows; after 200, 400, 800 and so on the tables are analyzed, in the background. */
    note(rows: number): void {
      written += rows
      if (written < next) return
      while (next <= written) next *= 2
      // Only speed depends on it, and a database in trouble is told of by what needs it.
      database.script('analyze memories, memory_threads, memory_postings').catch(() => {})
    },
  }
}
