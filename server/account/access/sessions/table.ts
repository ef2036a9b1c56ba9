import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import type { SecondFactor } from '../../../platform/http/caller.ts'
import { users } from '../../users/table.ts'

export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The generation of the current refresh token; the previous one stays valid until this one is used. */
    generation: integer().notNull().default(0),
    /** When the current generation began; null for the first. */
    rotatedAt: instant('rotated_at'),
    ip: text(),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    /** The admin who uses the session; null for a session of the user. */
    impersonatorId: uuid('impersonator_id'),
    impersonationReason: text('impersonation_reason'),
    /** The sign-in method; null for sessions from before it was recorded. */
    method: text(),
    /** The second factor that the user proved in this session; null: none. */
    secondFactor: text('second_factor').$type<SecondFactor>(),
    /** When the user signed in, if another session passed the sign-in on to this one; null: `created_at`. */
    signedInAt: instant('signed_in_at'),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
)

export type SessionRow = typeof sessions.$inferSelect
