import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'

/** What happened to an account, written once and never changed: a trigger refuses it. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').notNull(),
    action: text().notNull(),
    /** The id of what the action was about. */
    subject: text(),
    ip: text(),
    details: jsonb().$type<Record<string, string | number | boolean>>().notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('audit_log_user_id').on(table.userId, table.createdAt)],
)

export type AuditRow = typeof auditLog.$inferSelect
