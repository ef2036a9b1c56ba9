import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { type MailedCodeRow, mailedCodes } from './table.ts'

export const insertMailedCode = async (
  db: Db,
  request: typeof mailedCodes.$inferInsert,
): Promise<void> => {
  await db.insert(mailedCodes).values(request)
}

const isLive = and(isNull(mailedCodes.usedAt), gt(mailedCodes.expiresAt, sql`now()`))

/**
 * Sets the user and the code of a request; a retry replaces the code.
 * @returns whether the request is still open.
 */
export const setMailedCode = async (
  db: Db,
  id: string,
  { userId, codeHash }: { userId: string; codeHash: string },
): Promise<boolean> => {
  const changed = await db
    .update(mailedCodes)
    .set({ userId, codeHash })
    .where(and(eq(mailedCodes.id, id), isLive))
    .returning({ id: mailedCodes.id })
  return changed.length > 0
}

/** The open request of a browser. */
export const findMailedCode = async (
  db: Db,
  attemptHash: string,
): Promise<MailedCodeRow | undefined> => {
  const [row] = await db
    .select()
    .from(mailedCodes)
    .where(and(eq(mailedCodes.attemptHash, attemptHash), isLive))
  return row
}

/**
 * Counts a try before it is made, so that parallel tries cannot exceed the limit.
 * @returns the request; undefined when it has ended.
 */
export const tryMailedCode = async (
  db: Db,
  id: string,
  maxTries: number,
): Promise<MailedCodeRow | undefined> => {
  const [row] = await db
    .update(mailedCodes)
    .set({ tries: sql`${mailedCodes.tries} + 1` })
    .where(and(eq(mailedCodes.id, id), isLive, lt(mailedCodes.tries, maxTries)))
    .returning()
  return row
}

/** @returns whether the request was open until now. */
export const consumeMailedCode = async (tx: Db, id: string): Promise<boolean> => {
  const consumed = await tx
    .update(mailedCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(mailedCodes.id, id), isLive))
    .returning({ id: mailedCodes.id })
  return consumed.length > 0
}

/** Ends the open requests of a user. */
export const revokeMailedCodes = async (tx: Db, userId: string): Promise<void> => {
  await tx
    .update(mailedCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(mailedCodes.userId, userId), isNull(mailedCodes.usedAt)))
}

export const deleteMailedCodes = async (tx: Db, email: string): Promise<void> => {
  await tx.delete(mailedCodes).where(eq(mailedCodes.email, email))
}

export const deleteOldMailedCodes = async (db: Db): Promise<void> => {
  await db.delete(mailedCodes).where(lt(mailedCodes.expiresAt, sql`now() - interval '1 hour'`))
}
