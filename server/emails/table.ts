import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../account/users/table.ts'
import { instant } from '../platform/db/columns.ts'

/** Emails of a user and their replies to the same thread. */
export const emailThreads = pgTable(
  'email_threads',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    threadId: uuid('thread_id').notNull(),
    /** The subject of the first message. */
    subject: text().notNull(),
    messageCount: integer('message_count').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastMessageAt: instant('last_message_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.threadId] }),
    // Scanned backwards: newest first.
    index('email_threads_list').on(table.userId, table.lastMessageAt, table.threadId),
  ],
)

export type EmailThreadRow = typeof emailThreads.$inferSelect

/** A message, stored once for all its recipients. */
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

/** An email to one address and its outcome. Delivery reads its queue from here. */
export const emailRecipients = pgTable(
  'email_recipients',
  {
    userId: uuid('user_id').notNull(),
    threadId: uuid('thread_id').notNull(),
    messageId: uuid('message_id').notNull(),
    /** The index among the message's recipients. */
    position: integer().notNull(),
    address: text().notNull(),
    /** The Message-ID header, the same for all attempts. */
    mailId: text('mail_id').notNull(),
    state: text({ enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    /** Why it failed; may be the mail server's reply. */
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
    // The statistics count queued and failed emails; nearly all are sent.
    index('email_recipients_unsent').on(table.state).where(sql`state <> 'sent'`),
  ],
)

export type EmailRecipientRow = typeof emailRecipients.$inferSelect
