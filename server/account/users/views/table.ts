import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ViewQuery } from '../../../../shared/contract/views.ts'
import { instant } from '../../../platform/db/columns.ts'
import { users } from '../table.ts'

/** Filters of the list of memories that users gave names to. */
export const savedViews = pgTable(
  'saved_views',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    query: jsonb().$type<ViewQuery>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
)
