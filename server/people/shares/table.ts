import { foreignKey, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** What a person shows to whoever has the link. */
export const shares = pgTable(
  'shares',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    shareId: uuid('share_id').notNull(),
    /** What the link carries. It is listed to its owner, so it is kept as it is. */
    token: text().notNull().unique(),
    /** Where it was taken from, also once that is gone. */
    sessionId: uuid('session_id').notNull(),
    title: text().notNull(),
    messageCount: integer('message_count').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** A share that was taken back keeps nothing but its token. */
    revokedAt: instant('revoked_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.shareId] })],
)

export type ShareRow = typeof shares.$inferSelect

/** The messages as they were when they were shared. */
export const shareMessages = pgTable(
  'share_messages',
  {
    userId: uuid('user_id').notNull(),
    shareId: uuid('share_id').notNull(),
    position: integer().notNull(),
    role: text({ enum: ['user', 'assistant'] }).notNull(),
    content: text().notNull(),
    /** What files and pictures went with it, by their names. */
    files: text().array().notNull().default([]),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.shareId, table.position] }),
    foreignKey({
      name: 'share_messages_share_fk',
      columns: [table.userId, table.shareId],
      foreignColumns: [shares.userId, shares.shareId],
    }).onDelete('cascade'),
  ],
)

export type ShareMessageRow = typeof shareMessages.$inferSelect
