import { eq } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { lockClassExclusive } from '../../../platform/db/locks.ts'
import { users } from '../../users/table.ts'

export const hasAdmin = async (db: Db): Promise<boolean> => {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1)
  return rows.length > 0
}

/**
 * Makes a user the first admin, once across all replicas.
 * @returns whether the call verified the address; undefined when an admin exists already.
 */
export const makeFirstAdmin = async (
  tx: Db,
  userId: string,
  { verifiesEmail }: { verifiesEmail: boolean },
): Promise<{ newlyVerified: boolean } | undefined> => {
  await lockClassExclusive(tx, 'first_admin')
  if (await hasAdmin(tx)) return undefined
  const [before] = await tx
    .select({ emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  if (!before) return undefined
  const newlyVerified = verifiesEmail && !before.emailVerified
  await tx
    .update(users)
    .set({ isAdmin: true, ...(newlyVerified && { emailVerified: true }) })
    .where(eq(users.id, userId))
  return { newlyVerified }
}
