import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** What a person mails about one matter; it goes with their account. */
export const emailThreads = pgTable(
  'email_threads',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    threadId: uuid('thread_id').notNull(),
    /** That of its first message. */
    subject: text().notNull(),
    messageCount: integer('message_count').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastMessageAt: instant('last_message_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.threadId] }),
    // Read backwards: newest first.
    index('email_threads_list').on(table.userId, table.lastMessageAt, table.threadId),
  ],
)

export type EmailThreadRow = typeof emailThreads.$inferSelect

/** What was written, once for all whom it goes to. */
export const emailMessages = pgTable(
  'email_messages',
  {
    userId: uuid('user_id').notNull(),
    threadId: uuid('thread_id').notNull(),
    messageId: uuid('message_id').notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.threadId, table.messageId] }),
    foreignKey({
      name: 'email_messages_thread',
      columns: [table.userId, table.threadId],
      foreignColumns: [emailThreads.userId, emailThreads.threadId],
    }).onDelete('cascade'),
  ],
)

export type EmailMessageRow = typeof emailMessages.$inferSelect

/** A mail to one address, and what came of it. The queue of mails is read from here. */
export const emailRecipients = pgTable(
  'email_recipients',
  {
    userId: uuid('user_id').notNull(),
    threadId: uuid('thread_id').notNull(),
    messageId: uuid('message_id').notNull(),
    /** The place among the message's recipients. */
    position: integer().notNull(),
    address: text().notNull(),
    /** The Message-ID header, made once for all tries. */
    mailId: text('mail_id').notNull(),
    state: text({ enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    /** Why it failed, in the mail server's words. */
    reason: text(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.threadId, table.messageId, table.position] }),
    foreignKey({
      name: 'email_recipients_message',
      columns: [table.userId, table.threadId, table.messageId],
      foreignColumns: [emailMessages.userId, emailMessages.threadId, emailMessages.messageId],
    }).onDelete('cascade'),
    // What waits or failed is counted; what was sent, nearly all, is not.
    index('email_recipients_unsent').on(table.state).where(sql`state <> 'sent'`),
  ],
)

export type EmailRecipientRow = typeof emailRecipients.$inferSelect
