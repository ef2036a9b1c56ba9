import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'

/** The memories that a conversation was given as context. The nil UUID stands for the user's identity. */
export const contextGiven = pgTable(
  'context_given',
  {
    userId: uuid('user_id').notNull(),
    session: text().notNull(),
    memoryId: uuid('memory_id').notNull(),
    givenAt: instant('given_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.session, table.memoryId] }),
    index('context_given_at').on(table.givenAt),
  ],
)
