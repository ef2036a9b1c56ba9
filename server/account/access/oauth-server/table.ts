import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { Scope } from '../../../../shared/contract/scopes.ts'
import { instant } from '../../../platform/db/columns.ts'
import { orgs } from '../../organizations/table.ts'
import { users } from '../../users/table.ts'
import { sessions } from '../sessions/table.ts'

/**
 * OAuth clients that registered themselves (RFC 7591), which are public clients of the MCP endpoint, and
 * those that an admin registered. All use PKCE.
 */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    uri: text(),
    redirectUris: text('redirect_uris').array().notNull(),
    /** An admin registered the client. */
    isManaged: boolean('is_managed').notNull().default(false),
    /** The scopes that a client of an admin may request. */
    allowedScopes: text('allowed_scopes').array().$type<AppScope[]>().notNull().default([]),
    postLogoutRedirectUris: text('post_logout_redirect_uris').array().notNull().default([]),
    backchannelLogoutUri: text('backchannel_logout_uri'),
    /** SHA-256 of the secret, in hex; null for a public client. */
    secretHash: text('secret_hash'),
    /** Users are not asked, because the app is one of the server's own. */
    skipsConsent: boolean('skips_consent').notNull().default(false),
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
    /** The scopes that the user agreed to, for an app that uses the API; null for a client of the MCP endpoint. */
    agreedScopes: text('agreed_scopes').array().$type<AppScope[]>(),
    /**
     * The session of the user that authorized the app. The grant ends with it, unless the user agreed to
     * `offline_access`.
     */
    signInId: uuid('sign_in_id'),
    /** When this session began. */
    signedInAt: instant('signed_in_at'),
    /** When the app was notified that the session has ended. */
    logoutSentAt: instant('logout_sent_at'),
  },
  (table) => [
    index('oauth_grants_user_id').on(table.userId),
    index('oauth_grants_client_id').on(table.clientId),
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
    /** As `agreedScopes` of the grant. */
    scopes: text().array().$type<AppScope[]>(),
    /** Returned in the ID token. */
    nonce: text(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** The session of the grant. It ends when the code is used again. */
    grantId: uuid('grant_id'),
  },
  (table) => [index('oauth_codes_expires_at').on(table.expiresAt)],
)

/** The scopes that users agreed to, so that an app need not ask again. */
export const oauthConsents = pgTable(
  'oauth_consents',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(),
    /** The organization that the app acts in; null: the user's own memory. */
    orgId: uuid('org_id').references(() => orgs.id, { onDelete: 'cascade' }),
    scopes: text().array().$type<AppScope[]>().notNull(),
    /** The scopes that the app requested and the user declined. */
    declinedScopes: text('declined_scopes').array().$type<AppScope[]>().notNull().default([]),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('oauth_consents_user_client').on(table.userId, table.clientId),
    index('oauth_consents_client_id').on(table.clientId),
    index('oauth_consents_org_id').on(table.orgId).where(sql`org_id is not null`),
  ],
)

export type OAuthConsentRow = typeof oauthConsents.$inferSelect
export type OAuthClientRow = typeof oauthClients.$inferSelect
export type OAuthCodeRow = typeof oauthCodes.$inferSelect
