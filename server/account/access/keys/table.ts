import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import { orgs } from '../../organizations/table.ts'
import { users } from '../../users/table.ts'

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The organization that the key always acts in. */
    orgId: uuid('org_id').references(() => orgs.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    prefix: text().notNull(),
    /** SHA-256 of the whole key, in hex. */
    hash: text().notNull().unique(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    expiresAt: instant('expires_at'),
  },
  (table) => [
    index('api_keys_user_id').on(table.userId),
    // For the cascade when an organization is deleted.
    index('api_keys_org_id').on(table.orgId).where(sql`org_id is not null`),
  ],
)

export type ApiKeyRow = typeof apiKeys.$inferSelect
