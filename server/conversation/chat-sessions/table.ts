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
import type {
  ContentBlock,
  MessageContext,
  TokenUsage,
} from '../../../shared/contract/chat-messages.ts'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** A memory that an answer cites. Only its id is stored, so that forgetting it removes its text. */
export interface CitedMemoryRef {
  memory_id: string
  score?: number
}

/** The preview of a session is stored with it, so that a list reads one index. */
export const chatSessions = pgTable(
  'chat_sessions',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id').notNull(),
    /** Null until the user sets one or the first message is stored. */
    title: text(),
    /** Provider and model of the last answer. */
    provider: text(),
    model: text(),
    /** Set to null in the transaction that deletes the category. */
    categoryId: uuid('category_id'),
    isPinned: boolean('is_pinned').notNull().default(false),
    isArchived: boolean('is_archived').notNull().default(false),
    /** The feature that created the session; null where the user did. */
    initiatedBy: text('initiated_by'),
    messageCount: integer('message_count').notNull().default(0),
    lastMessagePreview: text('last_message_preview'),
    isUnread: boolean('is_unread').notNull().default(false),
    /** The session whose first messages were copied to it. */
    branchedFrom: uuid('branched_from'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** The last change of the messages or the title. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sessionId] }),
    // Scanned backwards: pinned first, then newest.
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
    /** From 1 in each session. Timestamps do not order messages: several servers write them. */
    position: integer().notNull(),
    messageId: uuid('message_id').notNull(),
    /** The organization in which it was written. */
    orgId: uuid('org_id'),
    role: text({ enum: ['user', 'assistant'] }).notNull(),
    content: text().notNull(),
    contentBlocks: jsonb('content_blocks').$type<ContentBlock[]>().notNull().default([]),
    fileIds: uuid('file_ids').array().notNull().default([]),
    /** The page that is attached to the message. */
    urlSnapshotHash: text('url_snapshot_hash'),
    /** The question of an answer; null for questions and notices. */
    replyTo: uuid('reply_to'),
    provider: text(),
    model: text(),
    usage: jsonb().$type<TokenUsage>(),
    memories: jsonb().$type<CitedMemoryRef[]>().notNull().default([]),
    /** The client disconnected, or the model failed, before the answer was complete. */
    isPartial: boolean('is_partial').notNull().default(false),
    /** The parts of the prompt of an answer; null where no model answered. */
    context: jsonb().$type<Omit<MessageContext, 'memories'>>(),
    /** The message that this one is a copy of, which memories refer to. */
    originalId: uuid('original_id'),
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

/** Earlier versions of regenerated answers. */
export const chatMessageVersions = pgTable(
  'chat_message_versions',
  {
    userId: uuid('user_id').notNull(),
    messageId: uuid('message_id').notNull(),
    /** From 1, oldest first. */
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

export type ChatCategoryRow = typeof sessionCategories.$inferSelect
