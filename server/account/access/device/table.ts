import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import { users } from '../../users/table.ts'
import { sessions } from '../sessions/table.ts'

export const deviceLogins = pgTable(
  'device_logins',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the device code, in hex. */
    deviceCodeHash: text('device_code_hash').notNull().unique(),
    userCode: text('user_code').notNull().unique(),
    clientName: text('client_name').notNull(),
    wantsSession: boolean('wants_session').notNull(),
    ip: text(),
    userAgent: text('user_agent'),
    status: text({ enum: ['pending', 'approved', 'denied', 'delivered', 'revoked'] })
      .notNull()
      .default('pending'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The session that approved the login. The approval ends with it. */
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'set null' }),
    orgId: uuid('org_id'),
    intervalSeconds: integer('interval_seconds').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastPolledAt: instant('last_polled_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('device_logins_expires_at').on(table.expiresAt)],
)

export type DeviceLoginRow = typeof deviceLogins.$inferSelect
