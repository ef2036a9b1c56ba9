import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import { users } from '../../users/table.ts'

/**
 * Mailed links. Each works once; using one ends the other links of its kind, but not an earlier `undo`: the person who
 * changed the address holds the later ones. While an `undo` is live, its address is held for the account.
 */
export const mailedLinks = pgTable(
  'mailed_links',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['verify', 'reset', 'change', 'undo'] }).notNull(),
    /** SHA-256 of the token, in hex. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The address that the link was mailed to and proves. */
    email: text().notNull(),
    /**
     * It was mailed for a sign-in without the password, and gives the account to the owner of the mailbox. Another
     * link that verifies the address leaves this to the next such sign-in.
     */
    takesOver: boolean('takes_over').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    index('mailed_links_user_id').on(table.userId, table.kind),
    index('mailed_links_held').on(table.email).where(sql`kind = 'undo'`),
  ],
)

export type MailedLinkRow = typeof mailedLinks.$inferSelect
