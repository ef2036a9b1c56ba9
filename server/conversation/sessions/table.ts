import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ContentBlock, TokenUsage } from '../../../shared/schemas/chat-sessions.ts'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** A memory that an answer had before it: its text is read where it is shown, and so gone once forgotten. */
export interface CitedMemory {
  memory_id: string
  score?: number
}

/** What lists show of a session is kept with it, so that a list is one read of an index. */
export const chatSessions = pgTable(
  'chat_sessions',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id').notNull(),
    /** Null until somebody or the first message gives it one. */
    title: text(),
    /** Who gave the last answer. */
    provider: text(),
    model: text(),
    /** Cleared by whoever deletes the category. */
    categoryId: uuid('category_id'),
    isPinned: boolean('is_pinned').notNull().default(false),
    isArchived: boolean('is_archived').notNull().default(false),
    /** Null where the person began it. */
    initiatedBy: text('initiated_by'),
    messageCount: integer('message_count').notNull().default(0),
    lastMessagePreview: text('last_message_preview'),
    isUnread: boolean('is_unread').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When its messages or its title last changed. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sessionId] }),
    // Read backwards: pinned first, then newest.
    index('chat_sessions_list').on(
      table.userId,
      table.isArchived,
      table.isPinned,
      table.updatedAt,
      table.sessionId,
    ),
  ],
)

export type ChatSessionRow = typeof chatSessions.$inferSelect

export const chatMessages = pgTable(
  'chat_messages',
  {
    userId: uuid('user_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** Its place in the session, from 1: clocks of several servers do not order messages. */
    position: integer().notNull(),
    messageId: uuid('message_id').notNull(),
    role: text({ enum: ['user', 'assistant'] }).notNull(),
    content: text().notNull(),
    contentBlocks: jsonb('content_blocks').$type<ContentBlock[]>().notNull().default([]),
    fileIds: uuid('file_ids').array().notNull().default([]),
    /** The page whose text went with it. */
    urlSnapshotHash: text('url_snapshot_hash'),
    /** The message of the person that an answer answers. */
    replyTo: uuid('reply_to'),
    provider: text(),
    model: text(),
    usage: jsonb().$type<TokenUsage>(),
    memories: jsonb().$type<CitedMemory[]>().notNull().default([]),
    /** The asker left, or the model broke off, before all was said. */
    isPartial: boolean('is_partial').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sessionId, table.position] }),
    unique('chat_messages_message').on(table.userId, table.messageId),
    foreignKey({
      name: 'chat_messages_session_fk',
      columns: [table.userId, table.sessionId],
      foreignColumns: [chatSessions.userId, chatSessions.sessionId],
    }).onDelete('cascade'),
  ],
)

export type ChatMessageRow = typeof chatMessages.$inferSelect

/** The answers that a regenerated one took the place of. */
export const chatMessageVersions = pgTable(
  'chat_message_versions',
  {
    userId: uuid('user_id').notNull(),
    messageId: uuid('message_id').notNull(),
    /** From 1, in the order in which they were given. */
    version: integer().notNull(),
    content: text().notNull(),
    provider: text(),
    model: text(),
    isPartial: boolean('is_partial').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.messageId, table.version] }),
    foreignKey({
      name: 'chat_message_versions_message_fk',
      columns: [table.userId, table.messageId],
      foreignColumns: [chatMessages.userId, chatMessages.messageId],
    }).onDelete('cascade'),
  ],
)

export type ChatMessageVersionRow = typeof chatMessageVersions.$inferSelect
