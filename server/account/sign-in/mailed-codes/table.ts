import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import { users } from '../../users/table.ts'

/** Requests for a code by mail, for any address: a row does not reveal that there is an account. */
export const mailedCodes = pgTable(
  'mailed_codes',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the secret of the browser that asked, in hex. */
    attemptHash: text('attempt_hash').notNull().unique(),
    email: text().notNull(),
    /** Null until the code is mailed, and for an address without a verified account. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the request and the code, in hex. */
    codeHash: text('code_hash'),
    tries: integer().notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    index('mailed_codes_expires_at').on(table.expiresAt),
    // For the cascade when a user is deleted.
    index('mailed_codes_user_id').on(table.userId),
  ],
)

export type MailedCodeRow = typeof mailedCodes.$inferSelect
