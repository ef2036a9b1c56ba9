import { and, eq, or } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { takeTurn } from '../../platform/db/turns.ts'
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

/**
 * Gives an account the address that a link has proved. Once one is verified, only a link to that
 * one counts.
 * @returns undefined when there is no such account, or it has verified another address.
 * @throws the database's unique violation when somebody else has the address.
 */
export const confirmEmail = async (
  db: Db,
  id: string,
  email: string,
): Promise<UserRow | undefined> => {
  const mayTake = or(eq(users.email, email), eq(users.emailVerified, false))
  const [row] = await db
    .update(users)
    .set({ email, emailVerified: true })
    .where(and(eq(users.id, id), mayTake))
    .returning()
  return row
}

/** Sets a new password by a link to `email`, which is verified with it. @returns undefined when the account has another address by now. */
export const resetPassword = async (
  db: Db,
  id: string,
  email: string,
  passwordHash: string,
): Promise<UserRow | undefined> => {
  const [row] = await db
    .update(users)
    .set({ passwordHash, emailVerified: true })
    .where(and(eq(users.id, id), eq(users.email, email)))
    .returning()
  return row
}

/** Puts a new password in the place of `known`. @returns undefined when it is another one by now. */
export const replacePassword = async (
  db: Db,
  id: string,
  known: string,
  passwordHash: string,
): Promise<UserRow | undefined> => {
  const [row] = await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, id), eq(users.passwordHash, known)))
    .returning()
  return row
}

/** Reads a password's hash so that nobody changes it until the end of the transaction. */
export const lockPassword = async (tx: Db, id: string): Promise<string | null | undefined> => {
  const [row] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, id))
    .for('share')
  return row?.passwordHash
}

/** Lets nobody begin a session of a user by what `lockPassword` holds, until the end of the transaction. */
export const lockSignIns = async (tx: Db, id: string): Promise<void> => {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
}

/** Holds back whatever refers to a user until the end of the transaction. @returns whether they are there. */
export const lockUser = async (tx: Db, id: string): Promise<boolean> => {
  await takeTurn(tx, id)
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
  return rows.length > 0
}

/** Deletes a user, and with them every row that refers to theirs. @returns undefined when they were gone. */
export const deleteUser = async (tx: Db, id: string): Promise<UserRow | undefined> => {
  const [row] = await tx.delete(users).where(eq(users.id, id)).returning()
  return row
}
