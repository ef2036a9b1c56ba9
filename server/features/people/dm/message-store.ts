import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { type UserRow, users } from '../../../account/users/table.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type DmMessageRow, dmMembers, dmMessages, dmThreads } from './table.ts'

export const findDmMessage = async (
  db: Db,
  threadId: string,
  messageId: string,
): Promise<DmMessageRow | undefined> => {
  const [row] = await db
    .select()
    .from(dmMessages)
    .where(and(eq(dmMessages.messageId, messageId), eq(dmMessages.threadId, threadId)))
  return row
}

/** The last messages before a position, newest first. */
export const listDmMessages = (
  db: Db,
  threadId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<DmMessageRow[]> =>
  db
    .select()
    .from(dmMessages)
    .where(
      and(
        eq(dmMessages.threadId, threadId),
        before === undefined ? undefined : lt(dmMessages.position, before),
      ),
    )
    .orderBy(desc(dmMessages.position))
    .limit(limit)

export const isDmAnswered = async (db: Db, messageId: string): Promise<boolean> => {
  const rows = await db
    .select({ messageId: dmMessages.messageId })
    .from(dmMessages)
    .where(and(eq(dmMessages.replyTo, messageId), dmMessages.isAnswer))
  return rows.length > 0
}

/** Locks the thread until the end of the transaction. @returns undefined if it does not exist. */
export const nextDmPosition = async (tx: Db, threadId: string): Promise<number | undefined> => {
  const [row] = await tx
    .update(dmThreads)
    .set({ lastPosition: sql`${dmThreads.lastPosition} + 1` })
    .where(eq(dmThreads.threadId, threadId))
    .returning({ position: dmThreads.lastPosition })
  return row?.position
}

/** Inserts a message at a position of `nextDmPosition` and updates the members' lists. */
export const insertDmMessage = async (
  tx: Db,
  message: Omit<typeof dmMessages.$inferInsert, 'messageId' | 'createdAt'>,
): Promise<DmMessageRow> => {
  const [row] = await tx
    .insert(dmMessages)
    // Read under the lock of the position, so that later messages are never older.
    .values({ ...message, messageId: Bun.randomUUIDv7(), createdAt: sql`clock_timestamp()` })
    .returning()
  const inserted = row as DmMessageRow
  await updateMembers(tx, inserted)
  return inserted
}

const updateMembers = async (
  tx: Db,
  { threadId, userId, isAnswer, createdAt }: DmMessageRow,
): Promise<void> => {
  const isOwn = isAnswer ? sql`false` : eq(dmMembers.userId, userId)
  const pair = tx
    .select({ first: dmThreads.firstUserId, second: dmThreads.secondUserId })
    .from(dmThreads)
    .where(eq(dmThreads.threadId, threadId))
    .as('pair')
  await tx
    .update(dmMembers)
    .set({
      unread: sql`${dmMembers.unread} + case when ${isOwn} then 0 else 1 end`,
      isArchived: false,
      lastMessageAt: createdAt,
    })
    .from(pair)
    .where(
      and(
        eq(dmMembers.threadId, threadId),
        sql`${dmMembers.userId} in (${pair.first}, ${pair.second})`,
      ),
    )
}

/** A message that mentions the service, with its author and the other member. */
export interface AuthoredQuestion {
  question: DmMessageRow
  author: UserRow
  peerId: string
}

export const findQuestion = async (
  db: Db,
  messageId: string,
): Promise<AuthoredQuestion | undefined> => {
  const [row] = await db
    .select({ question: dmMessages, author: users, peerId: dmMembers.peerId })
    .from(dmMessages)
    .innerJoin(users, eq(users.id, dmMessages.userId))
    .innerJoin(dmMembers, isMemberOf())
    .where(eq(dmMessages.messageId, messageId))
  return row
}

const isMemberOf = () =>
  and(eq(dmMembers.userId, dmMessages.userId), eq(dmMembers.threadId, dmMessages.threadId))
