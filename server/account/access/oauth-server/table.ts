import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Scope } from '../../../../shared/contract/scopes.ts'
import { instant } from '../../../platform/db/columns.ts'
import { orgs } from '../../organizations/table.ts'
import { users } from '../../users/table.ts'
import { sessions } from '../sessions/table.ts'

/**
 * OAuth clients that registered themselves (RFC 7591). They are public clients without a secret and use
 * PKCE.
 */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    uri: text(),
    redirectUris: text('redirect_uris').array().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When a user last authorized the client; null if none did. */
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('oauth_clients_created_at').on(table.createdAt)],
)

/** The access that a user granted to an OAuth client. It ends with its session. */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    sessionId: uuid('session_id')
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The organization that the client acts in; null: the user's own memory. */
    orgId: uuid('org_id').references(() => orgs.id, { onDelete: 'cascade' }),
    /** The id of a registered client, or the URL of its metadata document. */
    clientId: text('client_id').notNull(),
    /** Null: all. */
    scopes: text().array().$type<Scope[]>(),
    pausedAt: instant('paused_at'),
  },
  (table) => [
    index('oauth_grants_user_id').on(table.userId),
    index('oauth_grants_org_id').on(table.orgId).where(sql`org_id is not null`),
  ],
)

/** Authorization codes. Each works once and for a minute. */
export const oauthCodes = pgTable(
  'oauth_codes',
  {
    /** SHA-256 of the code, in hex. */
    codeHash: text('code_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The session that authorized the client. The code ends with it. */
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    orgId: uuid('org_id').references(() => orgs.id, { onDelete: 'cascade' }),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** PKCE with S256. */
    codeChallenge: text('code_challenge').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** The session of the grant. It ends when the code is used again. */
    grantId: uuid('grant_id'),
  },
  (table) => [index('oauth_codes_expires_at').on(table.expiresAt)],
)

export type OAuthClientRow = typeof oauthClients.$inferSelect
export type OAuthCodeRow = typeof oauthCodes.$inferSelect
