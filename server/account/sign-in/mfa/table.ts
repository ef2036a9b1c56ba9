import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { DEFAULT_PURPOSE } from '../../../platform/cipher.ts'
import { instant } from '../../../platform/db/columns.ts'
import type { SealedColumn } from '../../../platform/sealed-columns/service.ts'
import { users } from '../../users/table.ts'

export const mfaSecrets = pgTable('mfa_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted, so that read access to the database is not enough to create codes. */
  secret: text().notNull(),
  /** Null while the setup is not confirmed by a code. */
  enabledAt: instant('enabled_at'),
  /** The time step of the last consumed code. Codes of this step and earlier ones are refused. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})

/** For `resealColumns`. */
export const sealedMfaSecrets: SealedColumn = {
  table: 'mfa_secrets',
  column: 'secret',
  purpose: DEFAULT_PURPOSE,
  keys: 'uuid',
  owner: 'user_id',
  id: 'user_id',
}

export type MfaSecretRow = typeof mfaSecrets.$inferSelect

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the code, in hex. */
    hash: text().notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** Sign-ins that wait for their second factor. The partial token carries the id. */
export const mfaChallenges = pgTable(
  'mfa_challenges',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** How the first factor was proved. */
    method: text(),
    attempts: integer().notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('mfa_challenges_expires_at').on(table.expiresAt)],
)
