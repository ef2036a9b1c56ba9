import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** Files that a person gives to conversations. Their bytes are blobs. */
export const files = pgTable(
  'files',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    fileId: uuid('file_id').notNull(),
    /** As it was sent, without a path. */
    name: text().notNull(),
    /** By its content. */
    type: text().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    blob: text().notNull(),
    /** What can be read out of it; null for pictures, and where there is none. */
    extractedText: text('extracted_text'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.fileId] })],
)

export type FileRow = typeof files.$inferSelect
