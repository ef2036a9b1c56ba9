import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'

/** Append-only: a trigger refuses updates, and deletes while the user exists. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').notNull(),
    action: text().notNull(),
    /** The id of the object of the action. */
    subject: text(),
    ip: text(),
    details: jsonb().$type<Record<string, string | number | boolean>>().notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('audit_log_user_id').on(table.userId, table.createdAt)],
)

export type AuditRow = typeof auditLog.$inferSelect
