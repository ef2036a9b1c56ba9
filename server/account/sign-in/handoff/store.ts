import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { sessions } from '../../access/sessions/table.ts'
import { lockForSignIn } from '../../users/store.ts'
import type { UserRow } from '../../users/table.ts'
import { handoffs } from './table.ts'

export const insertHandoff = async (
  db: Db,
  handoff: typeof handoffs.$inferInsert,
): Promise<void> => {
  await db.insert(handoffs).values(handoff)
}

export const deleteOldHandoffs = async (db: Db): Promise<void> => {
  await db.delete(handoffs).where(lt(handoffs.expiresAt, sql`now()`))
}

/** Revokes the unused handoff tokens of a user. */
export const revokeHandoffs = async (tx: Db, userId: string): Promise<void> => {
  await tx
    .update(handoffs)
    .set({ usedAt: sql`now()` })
    .where(and(eq(handoffs.userId, userId), isNull(handoffs.usedAt)))
}

/**
 * Consumes a token that is for `origin`, unused and unexpired, and whose session is live. Locks the user
 * first, so that no parallel transaction revokes the session.
 * @returns the user and the session that minted the token, to one caller only.
 */
export const consumeHandoff = async (
  tx: Db,
  tokenHash: string,
  origin: string,
): Promise<{ user: UserRow; sessionId: string } | undefined> => {
  const [minted] = await tx
    .select({ userId: handoffs.userId, sessionId: handoffs.sessionId })
    .from(handoffs)
    .where(eq(handoffs.tokenHash, tokenHash))
  const user = minted && (await lockForSignIn(tx, minted.userId))
  if (!user) return undefined
  const { sessionId } = minted
  const rows = await tx
    .update(handoffs)
    .set({ usedAt: sql`now()` })
    .from(sessions)
    .where(
      and(
        eq(handoffs.tokenHash, tokenHash),
        eq(handoffs.targetOrigin, origin),
        isNull(handoffs.usedAt),
        gt(handoffs.expiresAt, sql`now()`),
        eq(sessions.id, handoffs.sessionId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
    .returning({ tokenHash: handoffs.tokenHash })
  return rows.length > 0 ? { user, sessionId } : undefined
}
