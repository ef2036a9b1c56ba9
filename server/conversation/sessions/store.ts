import { and, desc, eq, getTableColumns, ilike, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { sessionCategories } from '../categories/table.ts'
import {
  type ChatMessageRow,
  type ChatMessageVersionRow,
  type ChatSessionRow,
  chatMessages,
  chatMessageVersions,
  chatSessions,
} from './table.ts'

/** A session with what its category is called and looks like. */
export interface SessionWithCategory extends ChatSessionRow {
  categoryName: string | null
  categoryColor: string | null
  categoryIcon: string | null
}

const isSession = (userId: string, sessionId: string) =>
  and(eq(chatSessions.userId, userId), eq(chatSessions.sessionId, sessionId))

const isMessage = (userId: string, messageId: string) =>
  and(eq(chatMessages.userId, userId), eq(chatMessages.messageId, messageId))

const withCategory = (db: Db) =>
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

export const insertSession = async (
  db: Db,
  session: typeof chatSessions.$inferInsert,
): Promise<void> => {
  await db.insert(chatSessions).values(session)
}

export const findSession = async (
  db: Db,
  userId: string,
  sessionId: string,
): Promise<SessionWithCategory | undefined> => {
  const [row] = await withCategory(db).where(isSession(userId, sessionId))
  return row
}

/** Pinned ones first, then by when they last changed; `before` is the last one of the page before. */
export const listSessions = (
  db: Db,
  userId: string,
  filter: {
    words: string[]
    categoryId: string | undefined
    isArchived: boolean
    before: ChatSessionRow | undefined
    limit: number
  },
): Promise<SessionWithCategory[]> => {
  const { isPinned, updatedAt, sessionId } = chatSessions
  const { before } = filter
  return withCategory(db)
    .where(
      and(
        eq(chatSessions.userId, userId),
        eq(chatSessions.isArchived, filter.isArchived),
        filter.categoryId ? eq(chatSessions.categoryId, filter.categoryId) : undefined,
        before &&
          sql`(${isPinned}, ${updatedAt}, ${sessionId}) < (${before.isPinned}, ${before.updatedAt.toISOString()}::timestamptz, ${before.sessionId}::uuid)`,
        filter.words.length ? says(db, filter.words) : undefined,
      ),
    )
    .orderBy(desc(isPinned), desc(updatedAt), desc(sessionId))
    .limit(filter.limit)
}

/** Whether the title has all the words, or one message has. */
const says = (db: Db, words: string[]): SQL | undefined => {
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

/** @returns whether it is there. */
export const changeSession = async (
  db: Db,
  userId: string,
  sessionId: string,
  change: { [K in keyof ChatSessionRow]?: ChatSessionRow[K] | SQL },
): Promise<boolean> => {
  const rows = await db
    .update(chatSessions)
    .set(change)
    .where(isSession(userId, sessionId))
    .returning({ sessionId: chatSessions.sessionId })
  return rows.length > 0
}

/** @returns whether it was there. */
export const deleteSession = async (
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

/** Keeps a category from being deleted until the end of the transaction. @returns whether it is there. */
export const holdCategory = async (
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

export const clearCategory = async (tx: Db, userId: string, categoryId: string): Promise<void> => {
  await tx
    .update(chatSessions)
    .set({ categoryId: null })
    .where(and(eq(chatSessions.userId, userId), eq(chatSessions.categoryId, categoryId)))
}

/** What a message changes in its session. */
export interface SessionNews {
  preview: string | null
  /** Taken where the session has no title yet. */
  title: string | null
  isUnread: boolean
  answerer: { provider: string | null; model: string | null } | undefined
}

const newsColumns = ({ preview, title, isUnread, answerer }: SessionNews) => ({
  lastMessagePreview: preview,
  ...(title !== null && { title: sql<string>`coalesce(${chatSessions.title}, ${title})` }),
  isUnread,
  ...answerer,
  updatedAt: sql<Date>`now()`,
})

/**
 * Counts a message into its session; of those at once each gets a place of its own.
 * @returns its place, from 1; undefined when there is no such session.
 */
export const takePosition = async (
  tx: Db,
  userId: string,
  sessionId: string,
  news: SessionNews,
): Promise<number | undefined> => {
  const [row] = await tx
    .update(chatSessions)
    .set({ ...newsColumns(news), messageCount: sql`${chatSessions.messageCount} + 1` })
    .where(isSession(userId, sessionId))
    .returning({ position: chatSessions.messageCount })
  return row?.position
}

export const insertMessage = async (
  tx: Db,
  message: typeof chatMessages.$inferInsert,
): Promise<ChatMessageRow> => {
  const [row] = await tx.insert(chatMessages).values(message).returning()
  return row as ChatMessageRow
}

export const findMessage = async (
  db: Db,
  userId: string,
  sessionId: string,
  messageId: string,
): Promise<ChatMessageRow | undefined> => {
  const [row] = await db
    .select()
    .from(chatMessages)
    .where(and(isMessage(userId, messageId), eq(chatMessages.sessionId, sessionId)))
  return row
}

/** The last ones before a place, newest first. */
export const listMessages = (
  db: Db,
  userId: string,
  sessionId: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<ChatMessageRow[]> =>
  db
    .select()
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.userId, userId),
        eq(chatMessages.sessionId, sessionId),
        before === undefined ? undefined : lt(chatMessages.position, before),
      ),
    )
    .orderBy(desc(chatMessages.position))
    .limit(limit)

/** The earlier versions of some messages, oldest first. */
export const listVersions = async (
  db: Db,
  userId: string,
  messageIds: string[],
): Promise<ChatMessageVersionRow[]> =>
  messageIds.length
    ? db
        .select()
        .from(chatMessageVersions)
        .where(
          and(
            eq(chatMessageVersions.userId, userId),
            inArray(chatMessageVersions.messageId, messageIds),
          ),
        )
        .orderBy(chatMessageVersions.messageId, chatMessageVersions.version)
    : []

/**
 * Keeps an answer as it is as a version. Its session has to be held, so that versions are counted by
 * one at a time.
 */
export const keepVersion = async (tx: Db, message: ChatMessageRow): Promise<void> => {
  const { userId, messageId, content, provider, model, isPartial, createdAt } = message
  const count = tx.$count(
    chatMessageVersions,
    and(eq(chatMessageVersions.userId, userId), eq(chatMessageVersions.messageId, messageId)),
  )
  await tx.insert(chatMessageVersions).values({
    userId,
    messageId,
    version: (await count) + 1,
    content,
    provider,
    model,
    isPartial,
    createdAt,
  })
}

/** Holds a session until the end of the transaction. @returns it, if it is there. */
export const holdSession = async (
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

export const replaceMessage = async (
  tx: Db,
  { userId, messageId }: Pick<ChatMessageRow, 'userId' | 'messageId'>,
  change: Partial<ChatMessageRow>,
): Promise<ChatMessageRow> => {
  const [row] = await tx
    .update(chatMessages)
    .set({ ...change, createdAt: sql`now()` })
    .where(isMessage(userId, messageId))
    .returning()
  return row as ChatMessageRow
}

/** Tells a session of an answer that changed in its place. */
export const noteAnswer = async (
  tx: Db,
  userId: string,
  sessionId: string,
  isLast: boolean,
  news: SessionNews,
): Promise<void> => {
  const change = isLast
    ? newsColumns(news)
    : { isUnread: news.isUnread, updatedAt: sql<Date>`now()` }
  await tx.update(chatSessions).set(change).where(isSession(userId, sessionId))
}
