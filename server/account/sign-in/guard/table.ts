import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'

/**
 * Failed sign-ins by address, registered or not, so that a lock does not reveal whether an account exists.
 */
export const signInGuards = pgTable('sign_in_guards', {
  email: text().primaryKey(),
  failures: integer().notNull().default(0),
  lockedUntil: instant('locked_until'),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})
