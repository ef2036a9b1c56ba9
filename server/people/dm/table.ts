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
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** The one thread of two people. It outlives either of them, and goes with the second. */
export const dmThreads = pgTable(
  'dm_threads',
  {
    threadId: uuid('thread_id').primaryKey(),
    /** The lesser id of the two: so the pair is the same whoever begins. */
    firstUserId: uuid('first_user_id').notNull(),
    secondUserId: uuid('second_user_id').notNull(),
    /** Of the last message that was written; 0 before the first. */
    lastPosition: integer('last_position').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('dm_threads_pair').on(table.firstUserId, table.secondUserId),
    index('dm_threads_second').on(table.secondUserId),
  ],
)

export type DmThreadRow = typeof dmThreads.$inferSelect

/** How a thread looks to one of the two; what their list shows is kept with it. */
export const dmMembers = pgTable(
  'dm_members',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    threadId: uuid('thread_id').notNull(),
    /** The other one, also once their account is gone. */
    peerId: uuid('peer_id').notNull(),
    unread: integer().notNull().default(0),
    isArchived: boolean('is_archived').notNull().default(false),
    /** When the thread began, until somebody writes. */
    lastMessageAt: instant('last_message_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.threadId] }),
    // Read backwards: newest first.
    index('dm_members_list').on(table.userId, table.lastMessageAt, table.threadId),
  ],
)

export type DmMemberRow = typeof dmMembers.$inferSelect

/** A thread is read by two, so its id leads the key, not a person's. */
export const dmMessages = pgTable(
  'dm_messages',
  {
    threadId: uuid('thread_id').notNull(),
    /** Its place in the thread, from 1; those of a person who is gone are missing. */
    position: integer().notNull(),
    messageId: uuid('message_id').notNull(),
    /** Who wrote it, or whom the service answers: it goes with their account. */
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
    // A question is answered once, whatever is tried again.
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
