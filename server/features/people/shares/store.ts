import { and, asc, desc, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm'
import { users } from '../../../account/users/table.ts'
import { chatMessages } from '../../../conversation/chat-sessions/table.ts'
import { files } from '../../../conversation/files/table.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type ShareMessageRow, type ShareRow, shareMessages, shares } from './table.ts'

/** Shown for a picture, which has no name. */
const PICTURE = 'Picture'

const isOfShare = ({ userId, shareId }: Pick<ShareRow, 'userId' | 'shareId'>) =>
  and(eq(shareMessages.userId, userId), eq(shareMessages.shareId, shareId))

export const isNotRevoked = isNull(shares.revokedAt)

const isLive = (userId: string) => and(eq(shares.userId, userId), isNotRevoked)

export const insertShare = async (tx: Db, share: typeof shares.$inferInsert): Promise<ShareRow> => {
  const [row] = await tx.insert(shares).values(share).returning()
  return row as ShareRow
}

/**
 * Copies the texts of a session's messages up to a position into a share, with the names of the files
 * that exist. One statement copies all messages.
 */
export const copyMessages = async (
  tx: Db,
  share: ShareRow,
  upToPosition: number,
): Promise<void> => {
  const { position, role, content, contentBlocks, fileIds, createdAt } = chatMessages
  const blocks = (type: string) =>
    sql`jsonb_array_elements(${contentBlocks}) with ordinality as b(block, place) where block->>'type' = ${type}`
  const text = sql`concat_ws(E'\n\n', nullif(${content}, ''), (select string_agg(nullif(block->>'text', ''), E'\n\n' order by place) from ${blocks('text')}))`
  const ids = sql`${fileIds} || array(select (block->>'file_id')::uuid from ${blocks('file')} and block->>'file_id' is not null)`
  const names = sql`array(select ${files.name} from ${files} where ${files.userId} = ${share.userId} and ${files.fileId} = any(${ids}) order by ${files.fileId})`
  const pictures = sql`array(select ${PICTURE}::text from ${blocks('image_url')})`
  await tx.execute(sql`
    insert into ${shareMessages} (user_id, share_id, position, role, content, files, created_at)
    select ${share.userId}::uuid, ${share.shareId}::uuid, ${position}, ${role}, ${text}, ${names} || ${pictures}, ${createdAt}
    from ${chatMessages}
    where ${and(
      eq(chatMessages.userId, share.userId),
      eq(chatMessages.sessionId, share.sessionId),
      lte(position, upToPosition),
    )}`)
}

/** The live shares of a user, newest first. */
export const listShareRows = (
  db: Db,
  userId: string,
  { before, limit }: { before: ShareRow | undefined; limit: number },
): Promise<ShareRow[]> =>
  db
    .select()
    .from(shares)
    .where(and(isLive(userId), before && lt(shares.shareId, before.shareId)))
    .orderBy(desc(shares.shareId))
    .limit(limit)

export const findShare = async (db: Db, token: string): Promise<ShareRow | undefined> => {
  const [row] = await db.select().from(shares).where(eq(shares.token, token))
  return row
}

/** `isOpen` unless the share is revoked or its owner is disabled. */
export const findShareWithState = async (
  db: Db,
  token: string,
): Promise<{ share: ShareRow; isOpen: boolean } | undefined> => {
  const [row] = await db
    .select({ share: shares, isOpen: sql<boolean>`${users.disabledAt} is null` })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .where(eq(shares.token, token))
  return row && { share: row.share, isOpen: row.isOpen && row.share.revokedAt === null }
}

/**
 * The messages after a position, oldest first: at most `limit`, ending with the one that exceeds
 * `maxBytes`, so that a page is never empty.
 */
export const listSharedMessages = (
  db: Db,
  share: ShareRow,
  { after, limit, maxBytes }: { after: number; limit: number; maxBytes: number },
): Promise<Omit<ShareMessageRow, 'userId' | 'shareId'>[]> => {
  const page = db
    .select()
    .from(shareMessages)
    .where(and(isOfShare(share), gt(shareMessages.position, after)))
    .orderBy(asc(shareMessages.position))
    .limit(limit)
    .as('page')
  const size = sql`octet_length(${page.content})`
  const before = sql<number>`sum(${size}) over (order by ${page.position}) - ${size}`
  const { position, role, content, files, createdAt } = page
  const measured = db
    .select({ position, role, content, files, createdAt, before: before.as('before') })
    .from(page)
    .as('measured')
  return db
    .select()
    .from(measured)
    .where(lt(measured.before, maxBytes))
    .orderBy(asc(measured.position))
}

/**
 * Revokes a share, or all of a user, and deletes the messages.
 * @returns whether there was one.
 */
export const revokeShare = async (tx: Db, userId: string, token?: string): Promise<boolean> => {
  const rows = await tx
    .update(shares)
    .set({ revokedAt: sql`now()`, title: '', messageCount: 0 })
    .where(and(isLive(userId), token === undefined ? undefined : eq(shares.token, token)))
    .returning()
  for (const row of rows) await tx.delete(shareMessages).where(isOfShare(row))
  return rows.length > 0
}

/** Revokes all shares of a user. */
export const revokeShares = async (tx: Db, userId: string): Promise<void> => {
  await revokeShare(tx, userId)
}
