import { and, desc, eq, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { type PasskeyRow, passkeys, usedPasskeyChallenges } from './table.ts'

/** @returns true to one caller only. */
export const consumePasskeyChallenge = async (
  db: Db,
  id: string,
  expiresAt: Date,
): Promise<boolean> => {
  const rows = await db
    .insert(usedPasskeyChallenges)
    .values({ id, expiresAt })
    .onConflictDoNothing()
    .returning({ id: usedPasskeyChallenges.id })
  return rows.length > 0
}

/** Expired challenges are refused anyway. The hour allows for clocks that differ. */
export const deleteOldPasskeyChallenges = async (db: Db): Promise<void> => {
  await db
    .delete(usedPasskeyChallenges)
    .where(lt(usedPasskeyChallenges.expiresAt, sql`now() - interval '1 hour'`))
}

/** @returns undefined when an account has the credential already. */
export const insertPasskey = async (
  db: Db,
  passkey: typeof passkeys.$inferInsert,
): Promise<PasskeyRow | undefined> => {
  const [row] = await db.insert(passkeys).values(passkey).onConflictDoNothing().returning()
  return row
}

export const findPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id))

export const findPasskeyByCredential = async (
  db: Db,
  credentialId: string,
): Promise<PasskeyRow | undefined> => {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  return row
}

export const hasPasskeys = async (db: Db, userId: string): Promise<boolean> =>
  (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0

const ofUser = (userId: string, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

export const updatePasskeyName = async (
  db: Db,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | undefined> => {
  const [row] = await db.update(passkeys).set({ name }).where(ofUser(userId, id)).returning()
  return row
}

/**
 * Records a sign-in. Authenticators without a counter always report 0.
 * @returns false when the passkey is deleted, or its counter did not grow.
 */
export const advancePasskey = async (
  db: Db,
  id: string,
  { counter, isSynced }: Pick<PasskeyRow, 'counter' | 'isSynced'>,
): Promise<boolean> => {
  const grew = or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter} = 0`))
  const rows = await db
    .update(passkeys)
    .set({ counter, isSynced, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), grew))
    .returning({ id: passkeys.id })
  return rows.length > 0
}

/** @returns whether the user had the passkey. */
export const deletePasskey = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const rows = await db.delete(passkeys).where(ofUser(userId, id)).returning({ id: passkeys.id })
  return rows.length > 0
}

export const deletePasskeys = async (db: Db, userId: string): Promise<void> => {
  await db.delete(passkeys).where(eq(passkeys.userId, userId))
}
