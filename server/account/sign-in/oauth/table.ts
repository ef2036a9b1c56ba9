import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { DEFAULT_PURPOSE } from '../../../platform/cipher.ts'
import { instant } from '../../../platform/db/columns.ts'
import type { SealedColumn } from '../../../platform/sealed-columns/service.ts'
import { sessions } from '../../access/sessions/table.ts'
import { users } from '../../users/table.ts'
import { mfaChallenges } from '../mfa/table.ts'

/** An account at a provider is identified by its subject, never by its address. */
export const oauthConnections = pgTable(
  'oauth_connections',
  {
    /** The name of a built-in provider, or of a configured OpenID provider, which stands for its issuer. */
    provider: text().notNull(),
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

/** For `resealColumns`. */
export const sealedIdTokens: SealedColumn = {
  table: 'provider_sessions',
  column: 'id_token',
  purpose: DEFAULT_PURPOSE,
  keys: 'uuid',
  owner: 'user_id',
  id: 'id',
}

/** The session at an OpenID provider that a session, or a sign-in that waits for its code, came from. */
export const providerSessions = pgTable(
  'provider_sessions',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text().notNull(),
    subject: text().notNull(),
    /** The id of the session at the provider (`sid`); null if it sends none. */
    providerSid: text('provider_sid'),
    /** Encrypted. The hint for a sign-out at the provider. */
    idToken: text('id_token'),
    endSessionEndpoint: text('end_session_endpoint'),
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /** Null once there is a session. */
    challengeId: uuid('challenge_id').references(() => mfaChallenges.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('provider_sessions_user_id').on(table.userId),
    index('provider_sessions_subject').on(table.provider, table.subject),
    index('provider_sessions_provider_sid').on(table.provider, table.providerSid),
    index('provider_sessions_session_id').on(table.sessionId),
    index('provider_sessions_challenge_id').on(table.challengeId),
  ],
)

/** Consumed logout tokens. */
export const usedLogoutTokens = pgTable(
  'used_logout_tokens',
  {
    /** SHA-256 of the provider and the id of the token, in hex. */
    tokenHash: text('token_hash').primaryKey(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('used_logout_tokens_expires_at').on(table.expiresAt)],
)
