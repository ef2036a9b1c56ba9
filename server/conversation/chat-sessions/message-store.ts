import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import {
  type ChatMessageRow,
  type ChatMessageVersionRow,
  chatMessages,
  chatMessageVersions,
} from './table.ts'

const isMessage = (userId: string, messageId: string) =>
  and(eq(chatMessages.userId, userId), eq(chatMessages.messageId, messageId))

export const insertChatMessage = async (
  tx: Db,
  message: typeof chatMessages.$inferInsert,
): Promise<ChatMessageRow> => {
  const [row] = await tx.insert(chatMessages).values(message).returning()
  return row as ChatMessageRow
}

export const findChatMessage = async (
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

/** The last messages before a position, newest first. */
export const selectChatMessages = (
  db: Db,
  userId: string,
  sessionId: string,
  {
    before,
    text,
    orgId,
    limit,
  }: {
    before?: number | undefined
    text?: string | undefined
    /** Of the organization; null: of the user outside of organizations; undefined: all. */
    orgId?: string | null | undefined
    limit: number
  },
): Promise<ChatMessageRow[]> =>
  db
    .select()
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.userId, userId),
        eq(chatMessages.sessionId, sessionId),
        before === undefined ? undefined : lt(chatMessages.position, before),
        text === undefined
          ? undefined
          : sql`strpos(lower(${chatMessages.content}), lower(${text})) > 0`,
        orgId === undefined
          ? undefined
          : sql`${chatMessages.orgId} is not distinct from ${orgId}::uuid`,
      ),
    )
    .orderBy(desc(chatMessages.position))
    .limit(limit)

export const updateChatMessage = async (
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

/** The earlier versions of messages, oldest first. */
export const selectVersions = async (
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

/** Copies an answer to its versions. Its session must be locked, because versions are numbered by count. */
export const saveVersion = async (tx: Db, message: ChatMessageRow): Promise<void> => {
  const { userId, messageId, content, provider, model, isPartial, createdAt } = message
  const count = await tx.$count(
    chatMessageVersions,
    and(eq(chatMessageVersions.userId, userId), eq(chatMessageVersions.messageId, messageId)),
  )
  await tx.insert(chatMessageVersions).values({
    userId,
    messageId,
    version: count + 1,
    content,
    provider,
    model,
    isPartial,
    createdAt,
  })
}

/** Columns of a copy that are those of the message. */
const COPIED = [
  ...[
    'org_id',
    'role',
    'content',
    'content_blocks',
    'file_ids',
    'url_snapshot_hash',
    'provider',
    'model',
  ],
  ...['usage', 'memories', 'is_partial', 'context', 'created_at'],
]

/**
 * Copies the messages of a session up to a position into another one, with new ids, within a transaction that
 * has locked the session.
 */
export const copyMessages = (
  query: Query,
  { userId, from, to, through }: { userId: string; from: string; to: string; through: number },
): Promise<unknown[]> =>
  query(
    `with copied as materialized (
      select m.*, gen_random_uuid() as copy_id from chat_messages m
      where m.user_id = $1 and m.session_id = $2 and m.position <= $4
    )
    insert into chat_messages
      (user_id, session_id, position, message_id, reply_to, original_id, ${COPIED.join(', ')})
    select c.user_id, $3, c.position, c.copy_id, q.copy_id, coalesce(c.original_id, c.message_id),
      ${COPIED.map((column) => `c.${column}`).join(', ')}
    from copied c left join copied q on q.message_id = c.reply_to`,
    [userId, from, to, through],
  )
