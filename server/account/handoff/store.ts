import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { sessions } from '../sessions/table.ts'
import { type UserRow, users } from '../users/table.ts'
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

/**
 * Uses a handoff up, if it is for `origin`, unused and unexpired, and the session that asked for it
 * still lives.
 * @returns its user: to one caller, however many try.
 */
export const takeHandoff = async (
  db: Db,
  tokenHash: string,
  origin: string,
): Promise<UserRow | undefined> => {
  const [row] = await db
    .update(handoffs)
    .set({ usedAt: sql`now()` })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(handoffs.tokenHash, tokenHash),
        eq(handoffs.targetOrigin, origin),
        isNull(handoffs.usedAt),
        gt(handoffs.expiresAt, sql`now()`),
        eq(sessions.id, handoffs.sessionId),
        isNull(sessions.revokedAt),
      ),
    )
    .returning({ user: users })
  return row?.user
}
