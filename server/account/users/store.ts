import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type UserRow, users } from './table.ts'

/**
 * Adds a user unless the address or the username is taken.
 * @returns the row, or which of the two was taken.
 */
export const insertUser = async (
  db: Db,
  user: typeof users.$inferInsert,
): Promise<UserRow | 'email_taken' | 'username_taken'> => {
  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning()
  if (row) return row
  return (await findUserByEmail(db, user.email)) ? 'email_taken' : 'username_taken'
}

export const findUserByEmail = async (db: Db, email: string): Promise<UserRow | undefined> => {
  const [row] = await db.select().from(users).where(eq(users.email, email))
  return row
}

export const findUser = async (db: Db, id: string): Promise<UserRow | undefined> => {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row
}
