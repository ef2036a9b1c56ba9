import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { OrgPolicies } from '../../../shared/contract/organization-policies.ts'
import { instant } from '../../platform/db/columns.ts'
import { users } from '../users/table.ts'

export const orgs = pgTable('orgs', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  /** The ids of the OAuth clients that may act in the organization; null: all. */
  allowedClients: text('allowed_clients').array(),
  /** Null: none. */
  policies: jsonb().$type<OrgPolicies>(),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

export type OrgRow = typeof orgs.$inferSelect

export const orgMembers = pgTable(
  'org_members',
  {
    orgId: uuid('org_id')
      .notNull()
      .references(() => orgs.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: ['owner', 'admin', 'member'] }).notNull(),
    joinedAt: instant('joined_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.userId] }),
    index('org_members_user_id').on(table.userId),
  ],
)

export type OrgMemberRow = typeof orgMembers.$inferSelect

export const orgInvites = pgTable(
  'org_invites',
  {
    id: uuid().primaryKey(),
    orgId: uuid('org_id')
      .notNull()
      .references(() => orgs.id, { onDelete: 'cascade' }),
    /** In lower case, like the addresses of accounts. */
    email: text().notNull(),
    role: text({ enum: ['admin', 'member'] }).notNull(),
    /** SHA-256 of the token in the link, in hex. */
    tokenHash: text('token_hash').notNull().unique(),
    invitedBy: uuid('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    acceptedAt: instant('accepted_at'),
  },
  (table) => [
    index('org_invites_org_id').on(table.orgId),
    // The deletion of an account searches by both.
    index('org_invites_invited_by').on(table.invitedBy),
    index('org_invites_email').on(table.email),
    /** One open invite for each address. */
    uniqueIndex('org_invites_open').on(table.orgId, table.email).where(sql`accepted_at is null`),
  ],
)

export type OrgInviteRow = typeof orgInvites.$inferSelect
