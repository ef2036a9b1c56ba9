import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { users } from '../account/users/table.ts'
import type { Db } from '../platform/db/database.ts'
import {
  type EmailMessageRow,
  type EmailRecipientRow,
  type EmailThreadRow,
  emailMessages,
  emailRecipients,
  emailThreads,
} from './table.ts'

const isThread = (userId: string, threadId: string) =>
  and(eq(emailThreads.userId, userId), eq(emailThreads.threadId, threadId))

export const insertEmailThread = async (
  tx: Db,
  thread: { userId: string; threadId: string; subject: string },
): Promise<void> => {
  await tx.insert(emailThreads).values({ ...thread, messageCount: 1 })
}

/** Counts a new message and locks the thread until the end of the transaction. @returns whether it exists. */
export const countMessage = async (tx: Db, userId: string, threadId: string): Promise<boolean> => {
  const rows = await tx
    .update(emailThreads)
    .set({ messageCount: sql`${emailThreads.messageCount} + 1`, lastMessageAt: sql`now()` })
    .where(isThread(userId, threadId))
    .returning({ threadId: emailThreads.threadId })
  return rows.length > 0
}

export const insertEmailMessage = async (
  tx: Db,
  message: typeof emailMessages.$inferInsert,
  recipients: { address: string; mailId: string }[],
): Promise<void> => {
  const { userId, threadId, messageId } = message
  await tx.insert(emailMessages).values(message)
  await tx.insert(emailRecipients).values(
    recipients.map((recipient, position) => ({
      userId,
      threadId,
      messageId,
      position,
      ...recipient,
    })),
  )
}

/** Identifies one email to one address. */
export interface EmailKey {
  userId: string
  threadId: string
  messageId: string
  position: number
}

const isEmail = ({ userId, threadId, messageId, position }: EmailKey) =>
  and(
    eq(emailRecipients.userId, userId),
    eq(emailRecipients.threadId, threadId),
    eq(emailRecipients.messageId, messageId),
    eq(emailRecipients.position, position),
  )

/** A queued email with its content and sender. */
export const findQueuedEmail = async (db: Db, key: EmailKey) => {
  const [row] = await db
    .select({
      address: emailRecipients.address,
      mailId: emailRecipients.mailId,
      subject: emailMessages.subject,
      text: emailMessages.text,
      html: emailMessages.html,
      createdAt: emailMessages.createdAt,
      senderName: users.displayName,
      senderUsername: users.username,
      senderAddress: users.email,
      senderDisabledAt: users.disabledAt,
    })
    .from(emailRecipients)
    .innerJoin(
      emailMessages,
      and(
        eq(emailMessages.userId, emailRecipients.userId),
        eq(emailMessages.threadId, emailRecipients.threadId),
        eq(emailMessages.messageId, emailRecipients.messageId),
      ),
    )
    .innerJoin(users, eq(users.id, emailRecipients.userId))
    .where(and(isEmail(key), eq(emailRecipients.state, 'queued')))
  return row
}

/** Message-IDs of earlier emails of a thread to an address, oldest first. */
export const listEarlierMailIds = async (
  db: Db,
  { userId, threadId, messageId }: EmailKey,
  address: string,
): Promise<string[]> => {
  const rows = await db
    .select({ mailId: emailRecipients.mailId })
    .from(emailRecipients)
    .where(
      and(
        eq(emailRecipients.userId, userId),
        eq(emailRecipients.threadId, threadId),
        lt(emailRecipients.messageId, messageId),
        sql`lower(${emailRecipients.address}) = lower(${address})`,
        ne(emailRecipients.state, 'failed'),
      ),
    )
    .orderBy(emailRecipients.messageId)
  return rows.map(({ mailId }) => mailId)
}

/** Stores the outcome of a queued email. */
export const settleEmail = async (
  db: Db,
  key: EmailKey,
  outcome: { state: 'sent' } | { state: 'failed'; reason: string },
): Promise<void> => {
  await db
    .update(emailRecipients)
    .set({ ...outcome, updatedAt: sql`now()` })
    .where(and(isEmail(key), eq(emailRecipients.state, 'queued')))
}

export const findEmailThread = async (
  db: Db,
  userId: string,
  threadId: string,
): Promise<EmailThreadRow | undefined> => {
  const [row] = await db.select().from(emailThreads).where(isThread(userId, threadId))
  return row
}

/** By their last message, newest first; `before` is the last thread of the previous page. */
export const listEmailThreadRows = (
  db: Db,
  userId: string,
  page: { limit: number; before: string | undefined },
): Promise<EmailThreadRow[]> => {
  const { lastMessageAt, threadId } = emailThreads
  const older = sql`(${lastMessageAt}, ${threadId}) < (
    select t.last_message_at, t.thread_id from ${emailThreads} t
    where t.user_id = ${userId} and t.thread_id = ${page.before})`
  return db
    .select()
    .from(emailThreads)
    .where(and(eq(emailThreads.userId, userId), page.before ? older : undefined))
    .orderBy(desc(lastMessageAt), desc(threadId))
    .limit(page.limit)
}

export interface StateCount extends Pick<EmailRecipientRow, 'threadId' | 'state'> {
  count: number
}

/** The number of emails in each state, by thread. */
export const countStates = (db: Db, userId: string, threadIds: string[]): Promise<StateCount[]> =>
  db
    .select({
      threadId: emailRecipients.threadId,
      state: emailRecipients.state,
      count: sql<number>`count(*)::int`,
    })
    .from(emailRecipients)
    .where(and(eq(emailRecipients.userId, userId), inArray(emailRecipients.threadId, threadIds)))
    .groupBy(emailRecipients.threadId, emailRecipients.state)

/** Newest first; `before` is the last message of the previous page. */
export const listEmailMessages = (
  db: Db,
  userId: string,
  threadId: string,
  page: { limit: number; before: string | undefined },
): Promise<EmailMessageRow[]> =>
  db
    .select()
    .from(emailMessages)
    .where(
      and(
        eq(emailMessages.userId, userId),
        eq(emailMessages.threadId, threadId),
        page.before ? lt(emailMessages.messageId, page.before) : undefined,
      ),
    )
    .orderBy(desc(emailMessages.messageId))
    .limit(page.limit)

/** In the order of the request. */
export const listEmailRecipients = (
  db: Db,
  userId: string,
  threadId: string,
  messageIds: string[],
): Promise<EmailRecipientRow[]> =>
  db
    .select()
    .from(emailRecipients)
    .where(
      and(
        eq(emailRecipients.userId, userId),
        eq(emailRecipients.threadId, threadId),
        inArray(emailRecipients.messageId, messageIds),
      ),
    )
    .orderBy(emailRecipients.position)
