import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type UserRow, users } from '../users/table.ts'

export const setDisplayName = async (
  db: Db,
  userId: string,
  displayName: string,
): Promise<UserRow | undefined> => {
  const [row] = await db.update(users).set({ displayName }).where(eq(users.id, userId)).returning()
  return row
}

/**
 * Changes the picture; of changes at once each sees the one before it.
 * @returns what it replaced, or undefined when the user is gone.
 */
export const replaceAvatarUrl = async (
  db: Db,
  userId: string,
  avatarUrl: string | null,
): Promise<{ before: string | null } | undefined> => {
  const before = db
    .select({ id: users.id, avatarUrl: users.avatarUrl })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
    .as('before')
  const [row] = await db
    .update(users)
    .set({ avatarUrl })
    .from(before)
    .where(eq(users.id, before.id))
    .returning({ before: before.avatarUrl })
  return row
}
