import { and, eq, lt, or } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { lockExclusive } from '../../platform/db/locks.ts'
import { lockUserShared } from './lock.ts'
import { type UserRow, users } from './table.ts'

/** @returns the new row, or which of the two unique columns is taken. */
export const insertUser = async (
  db: Db,
  user: typeof users.$inferInsert,
): Promise<UserRow | 'email_taken' | 'username_taken'> => {
  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning()
  if (row) return row
  return (await findUserByEmail(db, user.email)) ? 'email_taken' : 'username_taken'
}

/** Whether no account is older: ids ascend with the time (UUID version 7). */
export const isFirstUser = async (db: Db, userId: string): Promise<boolean> => {
  const older = await db.select({ id: users.id }).from(users).where(lt(users.id, userId)).limit(1)
  return older.length === 0
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
 * Sets and verifies the address that a mailed link proves. A verified address is never replaced.
 * @returns undefined when the account is deleted or has verified another address.
 * @throws the unique violation of the database when another account has the address.
 */
export const confirmEmail = async (
  db: Db,
  id: string,
  email: string,
): Promise<UserRow | undefined> => {
  const canReplace = or(eq(users.email, email), eq(users.emailVerified, false))
  const [row] = await db
    .update(users)
    .set({ email, emailVerified: true })
    .where(and(eq(users.id, id), canReplace))
    .returning()
  return row
}

/**
 * Gives an account another address, which counts as verified.
 * @param change.passwordHash null also removes the password.
 * @throws the unique violation of the database when another account has the address.
 */
export const replaceEmail = async (
  tx: Db,
  id: string,
  change: { email: string; passwordHash?: null },
): Promise<UserRow | undefined> => {
  const [row] = await tx
    .update(users)
    .set({ ...change, emailVerified: true })
    .where(eq(users.id, id))
    .returning()
  return row
}

/**
 * Sets the password and verifies the address, which the reset link was mailed to.
 * @returns undefined when the account has another address now.
 */
export const saveResetPassword = async (
  db: Db,
  { userId, email, passwordHash }: { userId: string; email: string; passwordHash: string },
): Promise<UserRow | undefined> => {
  const [row] = await db
    .update(users)
    .set({ passwordHash, emailVerified: true })
    .where(and(eq(users.id, userId), eq(users.email, email)))
    .returning()
  return row
}

/**
 * Gives an account to the owner of its address: it has what a new one has, and the password of the owner.
 * @returns undefined when the account has another address now.
 */
export const resetAccount = async (
  tx: Db,
  { userId, email, passwordHash }: { userId: string; email: string; passwordHash: string | null },
): Promise<UserRow | undefined> => {
  const [row] = await tx
    .update(users)
    .set({
      passwordHash,
      emailVerified: true,
      isAdmin: false,
      activeOrgId: null,
      customInstructions: '',
      preferences: {},
      displayName: users.username,
    })
    .where(and(eq(users.id, userId), eq(users.email, email)))
    .returning()
  return row
}

/**
 * @param passwordHash null removes the password.
 * @returns undefined when the current hash is not `known` any more.
 */
export const replacePassword = async (
  db: Db,
  id: string,
  known: string,
  passwordHash: string | null,
): Promise<UserRow | undefined> => {
  const [row] = await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, id), eq(users.passwordHash, known)))
    .returning()
  return row
}

/**
 * Locks a user before a session or a credential is issued to them. A transaction that ends their
 * sessions (`lockSignIns`), disables or deletes them commits before this lock is granted, or waits for it.
 * @returns undefined when the user is deleted.
 */
export const lockForSignIn = async (tx: Db, id: string): Promise<UserRow | undefined> => {
  if (!(await lockUserShared(tx, id))) return undefined
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('share')
  return row
}

/** Waits for the holders of `lockForSignIn` and blocks new ones until the end of the transaction. */
export const lockSignIns = async (tx: Db, id: string): Promise<void> => {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
}

/**
 * Locks a user, so that parallel requests cannot remove the last two sign-in methods.
 * @returns whether the user has a password.
 */
export const lockSignInMethods = async (tx: Db, userId: string): Promise<boolean> => {
  const [row] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  return typeof row?.passwordHash === 'string'
}

/**
 * Blocks `lockUserShared` and writes that reference the user until the end of the transaction, which deletes the
 * user or what it has.
 * @returns whether the user exists.
 */
export const lockUserForDelete = async (tx: Db, id: string): Promise<boolean> => {
  await lockExclusive(tx, 'users', id)
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
  return rows.length > 0
}

/**
 * Deletes a user and, by cascade, the rows that reference it.
 * @returns undefined when it was deleted before.
 */
export const deleteUser = async (tx: Db, id: string): Promise<UserRow | undefined> => {
  const [row] = await tx.delete(users).where(eq(users.id, id)).returning()
  return row
}
