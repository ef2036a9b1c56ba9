import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { OAUTH_PROVIDERS } from '../../../../shared/contract/oauth-sign-in.ts'
import { instant } from '../../../platform/db/columns.ts'
import { users } from '../../users/table.ts'

/** An account at a provider is identified by its subject, never by its address. */
export const oauthConnections = pgTable(
  'oauth_connections',
  {
    provider: text({ enum: OAUTH_PROVIDERS }).notNull(),
    subject: text().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index('oauth_connections_user_id').on(table.userId),
  ],
)

/** Consumed states. */
export const usedOAuthStates = pgTable(
  'used_oauth_states',
  {
    id: uuid().primaryKey(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('used_oauth_states_expires_at').on(table.expiresAt)],
)
