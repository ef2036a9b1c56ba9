import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** Categories of chat sessions. */
export const sessionCategories = pgTable(
  'session_categories',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    categoryId: uuid('category_id').notNull(),
    name: text().notNull(),
    /** From 0, oldest first. */
    position: integer().notNull(),
    color: text().notNull(),
    icon: text().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.categoryId] })],
)

export type SessionCategoryRow = typeof sessionCategories.$inferSelect
