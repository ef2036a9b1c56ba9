import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'
import type { SealedColumn } from '../sealed-columns/service.ts'

/** The settings of the server that admins have changed. A row is kept when its value is removed. */
export const serverSettings = pgTable('server_settings', {
  /** The name of a variable. */
  name: text().primaryKey(),
  /** The encrypted value; null: the default. */
  sealed: text(),
  /** Counts the changes. */
  version: integer().notNull(),
  changedBy: uuid('changed_by').notNull(),
  changedAt: instant('changed_at').notNull().defaultNow(),
})

/** For `resealColumns`. */
export const sealedSettings: SealedColumn = {
  table: 'server_settings',
  column: 'sealed',
  purpose: 'svc:server-settings',
  keys: 'text',
  owner: 'name',
  id: 'name',
}
