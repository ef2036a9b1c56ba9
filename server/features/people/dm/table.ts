import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../../../account/users/table.ts'
import { instant } from '../../../platform/db/columns.ts'

/** A pair of users has one thread. It is deleted once both accounts are. */
export const dmThreads = pgTable(
  'dm_threads',
  {
    threadId: uuid('thread_id').primaryKey(),
    /** The smaller id of the pair. */
    firstUserId: uuid('first_user_id').notNull(),
    secondUserId: uuid('second_user_id').notNull(),
    /** The position of the last message; 0 before the first. */
    lastPosition: integer('last_position').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('dm_threads_pair').on(table.firstUserId, table.secondUserId),
    index('dm_threads_second').on(table.secondUserId),
  ],
)

export type DmThreadRow = typeof dmThreads.$inferSelect

/** The state of a thread for one of its members, denormalized for their list. */
export const dmMembers = pgTable(
  'dm_members',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    threadId: uuid('thread_id').notNull(),
    /** The other member; a random id once their account is deleted. */
    peerId: uuid('peer_id').notNull(),
    unread: integer().notNull().default(0),
    isArchived: boolean('is_archived').notNull().default(false),
    /** The creation time of the thread before the first message. */
    lastMessageAt: instant('last_message_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.threadId] }),
    // Scanned backwards: newest first.
    index('dm_members_list').on(table.userId, table.lastMessageAt, table.threadId),
  ],
)

export type DmMemberRow = typeof dmMembers.$inferSelect

/** Both members read a thread, so the key starts with its id, not with a user's. */
export const dmMessages = pgTable(
  'dm_messages',
  {
    threadId: uuid('thread_id').notNull(),
    /** From 1; messages of deleted accounts leave gaps. */
    position: integer().notNull(),
    messageId: uuid('message_id').notNull(),
    /** The author, or the user whom an answer is for; the message is deleted with the account. */
    userId: uuid('user_id').notNull(),
    isAnswer: boolean('is_answer').notNull().default(false),
    content: text().notNull(),
    mentionsIcog: boolean('mentions_icog').notNull().default(false),
    replyTo: uuid('reply_to'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.threadId, table.position] }),
    unique('dm_messages_message').on(table.messageId),
    index('dm_messages_owner').on(table.userId, table.threadId),
    index('dm_messages_reply').on(table.replyTo).where(sql`reply_to is not null`),
    // A retry does not answer a question twice.
    uniqueIndex('dm_messages_answer').on(table.replyTo).where(sql`is_answer`),
    foreignKey({
      name: 'dm_messages_member_fk',
      columns: [table.userId, table.threadId],
      foreignColumns: [dmMembers.userId, dmMembers.threadId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'dm_messages_reply_fk',
      columns: [table.replyTo],
      foreignColumns: [table.messageId],
    }).onDelete('set null'),
  ],
)

export type DmMessageRow = typeof dmMessages.$inferSelect
