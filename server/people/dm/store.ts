import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  lt,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { sessions } from '../../account/sessions/table.ts'
import { type UserRow, users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { sharesTurn } from '../../platform/db/turns.ts'
import {
  type DmMemberRow,
  type DmMessageRow,
  type DmThreadRow,
  dmMembers,
  dmMessages,
  dmThreads,
} from './table.ts'

export type Person = Pick<UserRow, 'id' | 'username' | 'displayName' | 'avatarUrl'>

const person = {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  avatarUrl: users.avatarUrl,
}

/** A thread as one of its people sees it. */
export interface ThreadView {
  member: DmMemberRow
  /** Null once their account is gone. */
  peer: Person | null
  isOnline: boolean
  last: DmMessageRow | null
}

/** Somebody who can be written to: an admin may keep people out. */
export const findPersonByUsername = async (
  db: Db,
  username: string,
): Promise<Person | undefined> => {
  const [row] = await db
    .select(person)
    .from(users)
    .where(and(eq(users.username, username), isNull(users.disabledAt)))
  return row
}

export const findPeople = (db: Db, ids: string[]): Promise<Person[]> =>
  db.select(person).from(users).where(inArray(users.id, ids))

/** The same, and nobody of them is deleted before the end of the transaction. */
export const holdPeople = (tx: Db, ids: string[]): Promise<Person[]> =>
  tx
    .select(person)
    .from(users)
    .where(and(inArray(users.id, ids), sql.raw(sharesTurn('users.id'))))
    .for('key share')

const isMember = (userId: string, threadId: string) =>
  and(eq(dmMembers.userId, userId), eq(dmMembers.threadId, threadId))

const isInPair = (userId: string) =>
  or(eq(dmThreads.firstUserId, userId), eq(dmThreads.secondUserId, userId))

const pairOf = (a: string, b: string) =>
  a < b ? { firstUserId: a, secondUserId: b } : { firstUserId: b, secondUserId: a }

export const findThreadOf = async (
  db: Db,
  userId: string,
  peerId: string,
): Promise<DmThreadRow | undefined> => {
  const { firstUserId, secondUserId } = pairOf(userId, peerId)
  const [row] = await db
    .select()
    .from(dmThreads)
    .where(and(eq(dmThreads.firstUserId, firstUserId), eq(dmThreads.secondUserId, secondUserId)))
  return row
}

/** Adds the thread of two people, unless there is one by now. */
export const insertThread = async (tx: Db, userId: string, peerId: string): Promise<void> => {
  const threadId = Bun.randomUUIDv7()
  const [added] = await tx
    .insert(dmThreads)
    .values({ threadId, ...pairOf(userId, peerId) })
    .onConflictDoNothing({ target: [dmThreads.firstUserId, dmThreads.secondUserId] })
    .returning({ threadId: dmThreads.threadId })
  if (!added) return
  await tx.insert(dmMembers).values([
    { threadId, userId, peerId },
    { threadId, userId: peerId, peerId: userId },
  ])
}

/** Asked of each one who is listed: as `exists`, all sessions there are would be read for them. */
const isOnline = sql<boolean>`coalesce((select true from ${sessions} where ${sessions.userId} = ${users.id}
  and ${sessions.revokedAt} is null and ${sessions.expiresAt} > now()
  and ${sessions.lastSeenAt} > now() - interval '60 seconds' limit 1), false)`

const threadViews = (db: Db) => {
  const last = db
    .select()
    .from(dmMessages)
    .where(eq(dmMessages.threadId, dmMembers.threadId))
    .orderBy(desc(dmMessages.position))
    .limit(1)
    .as('last')
  return db
    .select({
      member: getTableColumns(dmMembers),
      peer: person,
      isOnline,
      last: {
        threadId: last.threadId,
        position: last.position,
        messageId: last.messageId,
        userId: last.userId,
        isAnswer: last.isAnswer,
        content: last.content,
        mentionsIcog: last.mentionsIcog,
        replyTo: last.replyTo,
        createdAt: last.createdAt,
      },
    })
    .from(dmMembers)
    .leftJoin(users, eq(users.id, dmMembers.peerId))
    .leftJoinLateral(last, sql`true`)
    .$dynamic()
}

export const findThread = async (
  db: Db,
  userId: string,
  threadId: string,
): Promise<ThreadView | undefined> => {
  const [row] = await threadViews(db).where(isMember(userId, threadId))
  return row
}

/** By their last message, newest first; `before` is the last one of the page before. */
export const listThreads = (
  db: Db,
  userId: string,
  filter: { withArchived: boolean; before: DmMemberRow | undefined; limit: number },
): Promise<ThreadView[]> => {
  const { lastMessageAt, threadId } = dmMembers
  const { before } = filter
  return threadViews(db)
    .where(
      and(
        eq(dmMembers.userId, userId),
        filter.withArchived ? undefined : eq(dmMembers.isArchived, false),
        before &&
          sql`(${lastMessageAt}, ${threadId}) < (${before.lastMessageAt.toISOString()}::timestamptz, ${before.threadId}::uuid)`,
      ),
    )
    .orderBy(desc(lastMessageAt), desc(threadId))
    .limit(filter.limit)
}

export const findMember = async (
  db: Db,
  userId: string,
  threadId: string,
): Promise<DmMemberRow | undefined> => {
  const [row] = await db.select().from(dmMembers).where(isMember(userId, threadId))
  return row
}

const changeMember = async (
  db: Db,
  userId: string,
  threadId: string,
  change: { [K in keyof DmMemberRow]?: DmMemberRow[K] | SQL },
): Promise<void> => {
  await db.update(dmMembers).set(change).where(isMember(userId, threadId))
}

export const clearUnread = (db: Db, userId: string, threadId: string): Promise<void> =>
  changeMember(db, userId, threadId, { unread: 0 })

export const toggleArchived = (db: Db, userId: string, threadId: string): Promise<void> =>
  changeMember(db, userId, threadId, { isArchived: not(dmMembers.isArchived) })

export const findMessage = async (
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

/** The last ones before a place, newest first. */
export const listMessages = (
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

/** Whether the service has answered a message, in whatever way. */
export const isAnswered = async (db: Db, messageId: string): Promise<boolean> => {
  const rows = await db
    .select({ messageId: dmMessages.messageId })
    .from(dmMessages)
    .where(and(eq(dmMessages.replyTo, messageId), dmMessages.isAnswer))
  return rows.length > 0
}

/** Makes those who write in a thread wait for each other until the end of the transaction. @returns the next place in it. */
export const takePosition = async (tx: Db, threadId: string): Promise<number | undefined> => {
  const [row] = await tx
    .update(dmThreads)
    .set({ lastPosition: sql`${dmThreads.lastPosition} + 1` })
    .where(eq(dmThreads.threadId, threadId))
    .returning({ position: dmThreads.lastPosition })
  return row?.position
}

/** Adds a message at a place that was taken for it, and tells whoever is in the thread. */
export const insertMessage = async (
  tx: Db,
  message: Omit<typeof dmMessages.$inferInsert, 'messageId' | 'createdAt'>,
): Promise<DmMessageRow> => {
  const [row] = await tx
    .insert(dmMessages)
    // The clock at the place that was taken: later messages are never older.
    .values({ ...message, messageId: Bun.randomUUIDv7(), createdAt: sql`clock_timestamp()` })
    .returning()
  const inserted = row as DmMessageRow
  await noteMessage(tx, inserted)
  return inserted
}

const noteMessage = async (
  tx: Db,
  { threadId, userId, isAnswer, createdAt }: DmMessageRow,
): Promise<void> => {
  const isOwn = isAnswer ? sql`false` : eq(dmMembers.userId, userId)
  const people = tx
    .select({ first: dmThreads.firstUserId, second: dmThreads.secondUserId })
    .from(dmThreads)
    .where(eq(dmThreads.threadId, threadId))
    .as('people')
  await tx
    .update(dmMembers)
    .set({
      unread: sql`${dmMembers.unread} + case when ${isOwn} then 0 else 1 end`,
      isArchived: false,
      lastMessageAt: createdAt,
    })
    .from(people)
    .where(
      and(
        eq(dmMembers.threadId, threadId),
        sql`${dmMembers.userId} in (${people.first}, ${people.second})`,
      ),
    )
}

/** A question, where and by whom it was asked. */
export const findQuestion = async (
  db: Db,
  messageId: string,
): Promise<{ question: DmMessageRow; asker: UserRow; peerId: string } | undefined> => {
  const [row] = await db
    .select({ question: dmMessages, asker: users, peerId: dmMembers.peerId })
    .from(dmMessages)
    .innerJoin(users, eq(users.id, dmMessages.userId))
    .innerJoin(dmMembers, isMemberOf())
    .where(eq(dmMessages.messageId, messageId))
  return row
}

const isMemberOf = () =>
  and(eq(dmMembers.userId, dmMessages.userId), eq(dmMembers.threadId, dmMessages.threadId))

/**
 * Leaves the threads of somebody whose account is about to be deleted: nothing names them any more,
 * what they wrote is not unread, and a thread that nobody is left in goes.
 */
export const leaveThreads = async (tx: Db, userId: string): Promise<void> => {
  const threads = await tx
    .select({ threadId: dmThreads.threadId })
    .from(dmThreads)
    .where(isInPair(userId))
    .orderBy(dmThreads.threadId)
    .for('update')
  if (threads.length === 0) return
  await tx.delete(dmMembers).where(eq(dmMembers.userId, userId))
  const left = sql`case when ${dmThreads.firstUserId} = ${userId} then ${dmThreads.secondUserId} else ${dmThreads.firstUserId} end`
  await tx
    .update(dmMembers)
    .set({ peerId: sql`gen_random_uuid()`, unread: 0 })
    .from(dmThreads)
    .where(
      and(isInPair(userId), eq(dmMembers.threadId, dmThreads.threadId), eq(dmMembers.userId, left)),
    )
  const isLeft = sql`exists (select from ${dmMembers} where ${dmMembers.userId} = ${left} and ${dmMembers.threadId} = ${dmThreads.threadId})`
  await tx.delete(dmThreads).where(and(isInPair(userId), not(isLeft)))
  const without = (column: SQLWrapper) =>
    sql`case when ${column} = ${userId} then gen_random_uuid() else ${column} end`
  await tx
    .update(dmThreads)
    .set({
      firstUserId: without(dmThreads.firstUserId),
      secondUserId: without(dmThreads.secondUserId),
    })
    .where(isInPair(userId))
}
