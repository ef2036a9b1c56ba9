import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import { sessions } from '../../access/sessions/table.ts'
import { users } from '../../users/table.ts'

export const handoffs = pgTable(
  'handoffs',
  {
    /** SHA-256 of the token, in hex. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The session that minted the token. The token ends with it. */
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    targetOrigin: text('target_origin').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('handoffs_expires_at').on(table.expiresAt)],
)
