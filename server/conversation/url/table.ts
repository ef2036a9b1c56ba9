import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** The texts of pages when they were read. */
export const urlSnapshots = pgTable(
  'url_snapshots',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the text, in hex. */
    hash: text().notNull(),
    url: text().notNull(),
    title: text().notNull(),
    text: text().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index('url_snapshots_created_at').on(table.userId, table.createdAt),
  ],
)

export type UrlSnapshotRow = typeof urlSnapshots.$inferSelect
