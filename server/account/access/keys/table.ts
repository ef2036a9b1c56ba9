import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Scope } from '../../../../shared/contract/scopes.ts'
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
    /** Null: all. */
    scopes: text().array().$type<Scope[]>(),
    pausedAt: instant('paused_at'),
    /** Addresses and ranges that it may be used from (CIDR); null: all. */
    allowedAddresses: text('allowed_addresses').array(),
    /** The key that created it for an agent. It ends with that key, and never has more scopes. */
    parentId: uuid('parent_id').references((): AnyPgColumn => apiKeys.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('api_keys_parent_id').on(table.parentId).where(sql`parent_id is not null`),
    index('api_keys_user_id').on(table.userId),
    // For the cascade when an organization is deleted.
    index('api_keys_org_id').on(table.orgId).where(sql`org_id is not null`),
  ],
)

export type ApiKeyRow = typeof apiKeys.$inferSelect
