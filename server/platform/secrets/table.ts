import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** The secrets that the processes of a deployment share outside of the database. */
export const secretFingerprints = pgTable('secret_fingerprints', {
  /** `auth_secret`. */
  name: text().primaryKey(),
  /** Derived from the secret, which it does not show. */
  fingerprint: text().notNull(),
  storedAt: instant('stored_at').notNull().defaultNow(),
})
