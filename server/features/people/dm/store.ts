import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { sessions } from '../../../account/access/sessions/table.ts'
import { type UserRow, users } from '../../../account/users/table.ts'
import type { Db } from '../../../platform/db/database.ts'
import { sharedLockCondition } from '../../../platform/db/locks.ts'
import {
  type DmMemberRow,
  type DmMessageRow,
  type DmThreadRow,
  dmMembers,
  dmMessages,
  dmThreads,
} from './table.ts'

export type Participant = Pick<UserRow, 'id' | 'username' | 'displayName' | 'avatarUrl'>

const participantColumns = {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  avatarUrl: users.avatarUrl,
}

/** A thread as one of its members sees it. */
export interface ThreadView {
  member: DmMemberRow
  /** Null for a deleted account. */
  peer: Participant | null
  isOnline: boolean
  last: DmMessageRow | null
}

/** Excludes disabled accounts. */
export const findUserByUsername = async (
  db: Db,
  username: string,
): Promise<Participant | undefined> => {
  const [row] = await db
    .select(participantColumns)
    .from(users)
    .where(and(eq(users.username, username), isNull(users.disabledAt)))
  return row
}

export const findParticipants = (db: Db, ids: string[]): Promise<Participant[]> =>
  db.select(participantColumns).from(users).where(inArray(users.id, ids))

/** Also keeps the users from being deleted until the end of the transaction. */
export const lockParticipants = (tx: Db, ids: string[]): Promise<Participant[]> =>
  tx
    .select(participantColumns)
    .from(users)
    .where(and(inArray(users.id, ids), sql.raw(sharedLockCondition('users.id'))))
    .for('key share')

const isMember = (userId: string, threadId: string) =>
  and(eq(dmMembers.userId, userId), eq(dmMembers.threadId, threadId))

const isInPair = (userId: string) =>
  or(eq(dmThreads.firstUserId, userId), eq(dmThreads.secondUserId, userId))

const pairOf = (a: string, b: string) =>
  a < b ? { firstUserId: a, secondUserId: b } : { firstUserId: b, secondUserId: a }

export const findThreadOfPair = async (
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

/** Inserts the thread of a pair, unless there is one. */
export const insertDmThread = async (tx: Db, userId: string, peerId: string): Promise<void> => {
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

/** A subquery for each listed user; with `exists`, the planner reads all sessions instead. */
const isOnline = sql<boolean>`coalesce((select true from ${sessions} where ${sessions.userId} = ${users.id}
  and ${sessions.revokedAt} is null and ${sessions.impersonatorId} is null and ${sessions.expiresAt} > now()
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
      peer: participantColumns,
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

export const findDmThread = async (
  db: Db,
  userId: string,
  threadId: string,
): Promise<ThreadView | undefined> => {
  const [row] = await threadViews(db).where(isMember(userId, threadId))
  return row
}

/** By their last message, newest first; `before` is the last thread of the previous page. */
export const listDmThreads = (
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

/**
 * Removes a user from their threads before the account is deleted: the user's id is replaced, their
 * messages are no longer unread, and threads without members are deleted.
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
  const peer = sql`case when ${dmThreads.firstUserId} = ${userId} then ${dmThreads.secondUserId} else ${dmThreads.firstUserId} end`
  await tx
    .update(dmMembers)
    .set({ peerId: sql`gen_random_uuid()`, unread: 0 })
    .from(dmThreads)
    .where(
      and(isInPair(userId), eq(dmMembers.threadId, dmThreads.threadId), eq(dmMembers.userId, peer)),
    )
  const hasPeer = sql`exists (select from ${dmMembers} where ${dmMembers.userId} = ${peer} and ${dmMembers.threadId} = ${dmThreads.threadId})`
  await tx.delete(dmThreads).where(and(isInPair(userId), not(hasPeer)))
  const anonymized = (column: SQLWrapper) =>
    sql`case when ${column} = ${userId} then gen_random_uuid() else ${column} end`
  await tx
    .update(dmThreads)
    .set({
      firstUserId: anonymized(dmThreads.firstUserId),
      secondUserId: anonymized(dmThreads.secondUserId),
    })
    .where(isInPair(userId))
}
