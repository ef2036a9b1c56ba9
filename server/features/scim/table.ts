import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { orgs } from '../../account/organizations/table.ts'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

export type Simple = string | boolean
export type Complex = { [name: string]: Simple }
/** The attributes of a resource by their names, which come from its declaration and never from a request. */
export type ScimAttributes = { [name: string]: Simple | Complex | Complex[] }

const orgId = () =>
  uuid('org_id')
    .notNull()
    .references(() => orgs.id, { onDelete: 'cascade' })

/** The credentials of identity providers. They belong to the organization, not to a member. */
export const scimTokens = pgTable(
  'scim_tokens',
  {
    id: uuid().primaryKey(),
    orgId: orgId(),
    name: text().notNull(),
    /** SHA-256 of the whole token, in hex. */
    hash: text().notNull().unique(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    expiresAt: instant('expires_at'),
  },
  (table) => [
    index('scim_tokens_org_id').on(table.orgId),
    index('scim_tokens_created_by').on(table.createdBy),
  ],
)

export type ScimTokenRow = typeof scimTokens.$inferSelect

/** The users that the identity provider of an organization has provisioned. */
export const scimUsers = pgTable(
  'scim_users',
  {
    id: uuid().primaryKey(),
    orgId: orgId(),
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    /** The primary address, in lower case like those of accounts. */
    email: text().notNull(),
    isActive: boolean('is_active').notNull(),
    /** The other attributes. */
    attributes: jsonb().$type<ScimAttributes>().notNull(),
    /** The account; null until an invite is accepted. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Whether a deactivation has ended a membership, which a reactivation brings back. */
    endedMembership: boolean('ended_membership').notNull().default(false),
    version: integer().notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('scim_users_user_name').on(table.orgId, sql`lower(${table.userName})`),
    uniqueIndex('scim_users_email').on(table.orgId, table.email),
    uniqueIndex('scim_users_account').on(table.userId, table.orgId),
    index('scim_users_org_id').on(table.orgId, table.id),
  ],
)

export type ScimUserRow = typeof scimUsers.$inferSelect

export const scimGroups = pgTable(
  'scim_groups',
  {
    id: uuid().primaryKey(),
    orgId: orgId(),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    version: integer().notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('scim_groups_display_name').on(table.orgId, sql`lower(${table.displayName})`),
  ],
)

export type ScimGroupRow = typeof scimGroups.$inferSelect

export const scimGroupMembers = pgTable(
  'scim_group_members',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => scimGroups.id, { onDelete: 'cascade' }),
    scimUserId: uuid('scim_user_id')
      .notNull()
      .references(() => scimUsers.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.scimUserId] }),
    index('scim_group_members_user').on(table.scimUserId),
  ],
)
