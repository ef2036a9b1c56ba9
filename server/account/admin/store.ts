import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { users } from '../users/table.ts'

/** Any constant will do: it only has to be the same in every replica. */
const CLAIM_LOCK = 7_283_746_513

export const hasAdmin = async (db: Db): Promise<boolean> => {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1)
  return rows.length > 0
}

/** @returns whether this user became the first admin: nobody does twice, on however many replicas. */
export const makeFirstAdmin = async (tx: Db, userId: string): Promise<boolean> => {
  await tx.execute(sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`)
  if (await hasAdmin(tx)) return false
  const rows = await tx
    .update(users)
    .set({ isAdmin: true })
    .where(eq(users.id, userId))
    .returning({ id: users.id })
  return rows.length > 0
}
