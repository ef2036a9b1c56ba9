import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** The progress of each backfill. */
export const backfills = pgTable('backfills', {
  name: text().primaryKey(),
  /** The return value of the last step; null at the start and at the end. */
  place: text(),
  doneAt: instant('done_at'),
})
