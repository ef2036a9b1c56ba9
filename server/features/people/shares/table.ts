import { foreignKey, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../../account/users/table.ts'
import { instant } from '../../../platform/db/columns.ts'

/** Conversations that a user shares by a link. */
export const shares = pgTable(
  'shares',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    shareId: uuid('share_id').notNull(),
    /** The token of the link. Not hashed, because its owner can list it. */
    token: text().notNull().unique(),
    /** The copied chat session, which may be deleted by now. */
    sessionId: uuid('session_id').notNull(),
    title: text().notNull(),
    messageCount: integer('message_count').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** A revoked share keeps only its token. */
    revokedAt: instant('revoked_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.shareId] })],
)

export type ShareRow = typeof shares.$inferSelect

/** Copies of the messages at the time of sharing. */
export const shareMessages = pgTable(
  'share_messages',
  {
    userId: uuid('user_id').notNull(),
    shareId: uuid('share_id').notNull(),
    position: integer().notNull(),
    role: text({ enum: ['user', 'assistant'] }).notNull(),
    content: text().notNull(),
    /** Names of its files and pictures. */
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
