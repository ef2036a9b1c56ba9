import { eq } from 'drizzle-orm'
import type { Db, Query } from '../../../platform/db/database.ts'
import { type UserRow, users } from '../table.ts'

export const setDisplayName = async (
  db: Db,
  userId: string,
  displayName: string,
): Promise<UserRow | undefined> => {
  const [row] = await db.update(users).set({ displayName }).where(eq(users.id, userId)).returning()
  return row
}

export const setOnboardingCompleted = async (
  db: Db,
  userId: string,
  isCompleted: boolean,
): Promise<void> => {
  await db.update(users).set({ onboardingCompleted: isCompleted }).where(eq(users.id, userId))
}

/**
 * Parallel changes are serialized, so that each returns the picture that it replaced.
 * @returns undefined when the user does not exist.
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

/** The pictures of all users. */
export const listAvatarUrls = async (query: Query): Promise<string[]> => {
  const rows = await query<{ avatar_url: string }>(
    'select avatar_url from users where avatar_url is not null',
    [],
  )
  return rows.map((row) => row.avatar_url)
}
