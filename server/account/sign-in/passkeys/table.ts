import { bigint, boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import { users } from '../../users/table.ts'

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Chosen by the authenticator, in base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE key, in base64url. */
    publicKey: text('public_key').notNull(),
    /** The signature counter of the last sign-in; 0 for authenticators without one. */
    counter: bigint({ mode: 'number' }).notNull(),
    name: text().notNull(),
    /** Whether the authenticator has a backup of the key. */
    isSynced: boolean('is_synced').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

export type PasskeyRow = typeof passkeys.$inferSelect

/** Challenges are signed and not stored. A used one is remembered until it has expired. */
export const usedPasskeyChallenges = pgTable(
  'used_passkey_challenges',
  {
    id: text().primaryKey(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('used_passkey_challenges_expires_at').on(table.expiresAt)],
)
