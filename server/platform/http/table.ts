import { bigint, index, integer, pgTable, text, varchar } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** Rate limit windows of `SVC_RATE_LIMIT_STORE=postgres`, in the schema of rate-limiter-flexible. */
export const rateLimitCounters = pgTable('rate_limits', {
  key: varchar({ length: 255 }).primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
})

/** Forms that browsers sent, and what the server responded, for their repetitions. */
export const formSubmissions = pgTable(
  'form_submissions',
  {
    /** SHA-256 of the form, in hex. */
    hash: text().primaryKey(),
    /** The response, encrypted with a key that only the form gives; null while the form is handled. */
    sealed: text(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('form_submissions_expires_at').on(table.expiresAt)],
)
