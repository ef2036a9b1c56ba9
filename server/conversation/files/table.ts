import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** Uploaded files. Their bytes are blobs. */
export const files = pgTable(
  'files',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    fileId: uuid('file_id').notNull(),
    /** As uploaded, without a path. */
    name: text().notNull(),
    /** The media type, detected from the content. */
    type: text().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    blob: text().notNull(),
    /** Null for images and unreadable files. */
    extractedText: text('extracted_text'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.fileId] })],
)

export type FileRow = typeof files.$inferSelect
