import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'

/** Handlers that were switched; one without a row is on. */
export const handlerStates = pgTable(
  'handler_states',
  {
    registryType: text('registry_type').notNull(),
    name: text().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    reason: text().notNull(),
    changedBy: uuid('changed_by').notNull(),
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.registryType, table.name] })],
)

export type HandlerStateRow = typeof handlerStates.$inferSelect
