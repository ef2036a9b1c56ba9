import {
  and,
  desc,
  eq,
  getTableColumns,
  ilike,
  isNotNull,
  not,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import type { RowLimit } from '../../platform/row-limit.ts'
import { type ChatSessionRow, chatMessages, chatSessions, sessionCategories } from './table.ts'

/** Only empty sessions are capped: the others are limited by the month's messages. */
export const EMPTY_SESSION_LIMIT: RowLimit = {
  table: chatSessions,
  max: 1_000,
  name: 'sessions without a message',
  counted: eq(chatSessions.messageCount, 0),
}

/** Copied messages are not limited by those of the month. */
export const BRANCH_LIMIT: RowLimit = {
  table: chatSessions,
  max: 1_000,
  name: 'branches of sessions',
  counted: isNotNull(chatSessions.branchedFrom),
}

/** A session with the name and look of its category. */
export interface ChatSessionWithCategory extends ChatSessionRow {
  categoryName: string | null
  categoryColor: string | null
  categoryIcon: string | null
}

const isSession = (userId: string, sessionId: string) =>
  and(eq(chatSessions.userId, userId), eq(chatSessions.sessionId, sessionId))

const selectWithCategory = (db: Db) =>
  db
    .select({
      ...getTableColumns(chatSessions),
      categoryName: sessionCategories.name,
      categoryColor: sessionCategories.color,
      categoryIcon: sessionCategories.icon,
    })
    .from(chatSessions)
    .leftJoin(
      sessionCategories,
      and(
        eq(sessionCategories.userId, chatSessions.userId),
        eq(sessionCategories.categoryId, chatSessions.categoryId),
      ),
    )
    .$dynamic()

export const insertChatSession = async (
  db: Db,
  session: typeof chatSessions.$inferInsert,
): Promise<void> => {
  await db.insert(chatSessions).values(session)
}

/** Sessions with messages of an organization alone, or of none: the title is made of them. Undefined: all. */
const isHeldIn = (db: Db, orgId: string | null | undefined): SQL | undefined => {
  if (orgId === undefined) return undefined
  const isOther = sql`${chatMessages.orgId} is distinct from ${orgId}::uuid`
  const ofSession = and(
    eq(chatMessages.userId, chatSessions.userId),
    eq(chatMessages.sessionId, chatSessions.sessionId),
  )
  return notExists(db.select({ one: sql`1` }).from(chatMessages).where(and(ofSession, isOther)))
}

export const findChatSession = async (
  db: Db,
  userId: string,
  sessionId: string,
  orgId?: string | null,
): Promise<ChatSessionWithCategory | undefined> => {
  const [row] = await selectWithCategory(db).where(
    and(isSession(userId, sessionId), isHeldIn(db, orgId)),
  )
  return row
}

/** Pinned sessions first, then the last changed; `before` is the last session of the previous page. */
export const selectChatSessions = (
  db: Db,
  userId: string,
  filter: {
    words: string[]
    categoryId: string | undefined
    isArchived: boolean
    orgId: string | null | undefined
    before: ChatSessionRow | undefined
    limit: number
  },
): Promise<ChatSessionWithCategory[]> => {
  const { isPinned, updatedAt, sessionId } = chatSessions
  const { before } = filter
  return selectWithCategory(db)
    .where(
      and(
        eq(chatSessions.userId, userId),
        eq(chatSessions.isArchived, filter.isArchived),
        isHeldIn(db, filter.orgId),
        filter.categoryId ? eq(chatSessions.categoryId, filter.categoryId) : undefined,
        before &&
          sql`(${isPinned}, ${updatedAt}, ${sessionId}) < (${before.isPinned}, ${before.updatedAt.toISOString()}::timestamptz, ${before.sessionId}::uuid)`,
        filter.words.length ? containsWords(db, filter.words) : undefined,
      ),
    )
    .orderBy(desc(isPinned), desc(updatedAt), desc(sessionId))
    .limit(filter.limit)
}

/** Whether the title, or one message, contains all words. */
const containsWords = (db: Db, words: string[]): SQL | undefined => {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  const message = db
    .select({ one: sql`1` })
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.userId, chatSessions.userId),
        eq(chatMessages.sessionId, chatSessions.sessionId),
        ...patterns.map((pattern) => ilike(chatMessages.content, pattern)),
      ),
    )
  const inTitle = and(...patterns.map((pattern) => ilike(chatSessions.title, pattern)))
  return or(inTitle, sql`exists ${message}`)
}

/** Changes of a session through the API. Only a new title counts as an update of the conversation. */
export const SESSION_CHANGES = {
  rename: (title: string) => ({ title, updatedAt: sql<Date>`now()` }),
  togglePin: () => ({ isPinned: not(chatSessions.isPinned) }),
  toggleArchive: () => ({ isArchived: not(chatSessions.isArchived) }),
  markRead: () => ({ isUnread: false }),
  move: (categoryId: string | null) => ({ categoryId }),
}

export type ChatSessionChange = ReturnType<(typeof SESSION_CHANGES)[keyof typeof SESSION_CHANGES]>

/** @returns whether the session exists. */
export const changeChatSession = async (
  db: Db,
  userId: string,
  sessionId: string,
  change: ChatSessionChange,
): Promise<boolean> => {
  const rows = await db
    .update(chatSessions)
    .set(change)
    .where(isSession(userId, sessionId))
    .returning({ sessionId: chatSessions.sessionId })
  return rows.length > 0
}

/** @returns whether the session existed. */
export const removeChatSession = async (
  db: Db,
  userId: string,
  sessionId: string,
): Promise<boolean> => {
  const rows = await db
    .delete(chatSessions)
    .where(isSession(userId, sessionId))
    .returning({ sessionId: chatSessions.sessionId })
  return rows.length > 0
}

/** Locks a session until the end of the transaction. */
export const lockChatSession = async (
  tx: Db,
  userId: string,
  sessionId: string,
): Promise<ChatSessionRow | undefined> => {
  const [row] = await tx
    .select()
    .from(chatSessions)
    .where(isSession(userId, sessionId))
    .for('no key update')
  return row
}

/** Prevents the deletion of a category until the end of the transaction. @returns whether it exists. */
export const lockCategory = async (
  tx: Db,
  userId: string,
  categoryId: string,
): Promise<boolean> => {
  const rows = await tx
    .select({ categoryId: sessionCategories.categoryId })
    .from(sessionCategories)
    .where(and(eq(sessionCategories.userId, userId), eq(sessionCategories.categoryId, categoryId)))
    .for('key share')
  return rows.length > 0
}

export const removeCategoryFromChatSessions = async (
  tx: Db,
  userId: string,
  categoryId: string,
): Promise<void> => {
  await tx
    .update(chatSessions)
    .set({ categoryId: null })
    .where(and(eq(chatSessions.userId, userId), eq(chatSessions.categoryId, categoryId)))
}

/** The columns that a message changes in its session. */
export interface ChatSessionUpdate {
  preview: string | null
  /** Set only where the session has no title. */
  title: string | null
  isUnread: boolean
  answeredBy: { provider: string | null; model: string | null } | undefined
}

const updatedColumns = ({ preview, title, isUnread, answeredBy }: ChatSessionUpdate) => ({
  lastMessagePreview: preview,
  ...(title !== null && { title: sql<string>`coalesce(${chatSessions.title}, ${title})` }),
  isUnread,
  ...answeredBy,
  updatedAt: sql<Date>`now()`,
})

/**
 * Counts a new message of a session. The update locks the session, so concurrent messages get different
 * positions.
 * @returns the message's position, from 1; undefined where the session does not exist.
 */
export const appendPosition = async (
  tx: Db,
  userId: string,
  sessionId: string,
  update: ChatSessionUpdate,
): Promise<number | undefined> => {
  const [row] = await tx
    .update(chatSessions)
    .set({ ...updatedColumns(update), messageCount: sql`${chatSessions.messageCount} + 1` })
    .where(isSession(userId, sessionId))
    .returning({ position: chatSessions.messageCount })
  return row?.position
}

/** Records a regenerated answer; the preview changes only where it is the last message. */
export const recordReplacedAnswer = async (
  tx: Db,
  { userId, sessionId }: Pick<ChatSessionRow, 'userId' | 'sessionId'>,
  { isLast, update }: { isLast: boolean; update: ChatSessionUpdate },
): Promise<void> => {
  const columns = isLast
    ? updatedColumns(update)
    : { isUnread: update.isUnread, updatedAt: sql<Date>`now()` }
  await tx.update(chatSessions).set(columns).where(isSession(userId, sessionId))
}

/**
 * Sets the title that a model gave, if the session still has the one it had.
 * @returns whether it had.
 */
export const replaceTitle = async (
  db: Db,
  { userId, sessionId }: Pick<ChatSessionRow, 'userId' | 'sessionId'>,
  { from, to }: { from: string; to: string },
): Promise<boolean> => {
  const changed = await db
    .update(chatSessions)
    .set({ title: to })
    .where(and(isSession(userId, sessionId), eq(chatSessions.title, from)))
    .returning({ sessionId: chatSessions.sessionId })
  return changed.length > 0
}
