import { and, count, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type MfaSecretRow, mfaChallenges, mfaSecrets, recoveryCodes } from './table.ts'

const MAX_ATTEMPTS = 5

export const findSecret = async (db: Db, userId: string): Promise<MfaSecretRow | undefined> => {
  const [row] = await db.select().from(mfaSecrets).where(eq(mfaSecrets.userId, userId))
  return row
}

/** Sets up a secret in place of one that was never enabled. @returns false when one is enabled. */
export const putSecret = async (db: Db, userId: string, secret: string): Promise<boolean> => {
  const rows = await db
    .insert(mfaSecrets)
    .values({ userId, secret })
    .onConflictDoUpdate({
      target: mfaSecrets.userId,
      set: { secret, lastStep: 0 },
      setWhere: isNull(mfaSecrets.enabledAt),
    })
    .returning({ userId: mfaSecrets.userId })
  return rows.length > 0
}

/** @returns whether this call enabled the secret: true once. */
export const enableSecret = async (
  db: Db,
  { userId, secret }: MfaSecretRow,
  step: number,
): Promise<boolean> => {
  const rows = await db
    .update(mfaSecrets)
    .set({ enabledAt: sql`now()`, lastStep: step })
    .where(
      and(
        eq(mfaSecrets.userId, userId),
        eq(mfaSecrets.secret, secret),
        isNull(mfaSecrets.enabledAt),
      ),
    )
    .returning({ userId: mfaSecrets.userId })
  return rows.length > 0
}

/** Takes the code of a time step. @returns false when it, or a later one, was taken before. */
export const takeStep = async (
  db: Db,
  { userId, secret }: MfaSecretRow,
  step: number,
): Promise<boolean> => {
  const rows = await db
    .update(mfaSecrets)
    .set({ lastStep: step })
    .where(
      and(
        eq(mfaSecrets.userId, userId),
        eq(mfaSecrets.secret, secret),
        isNotNull(mfaSecrets.enabledAt),
        lt(mfaSecrets.lastStep, step),
      ),
    )
    .returning({ userId: mfaSecrets.userId })
  return rows.length > 0
}

/** Forgets the second factor of a user, with its codes and the sign-ins that wait for it. */
export const deleteSecret = async (db: Db, userId: string): Promise<void> => {
  await db.delete(mfaSecrets).where(eq(mfaSecrets.userId, userId))
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.delete(mfaChallenges).where(eq(mfaChallenges.userId, userId))
}

export const replaceRecoveryCodes = async (
  db: Db,
  userId: string,
  hashes: string[],
): Promise<void> => {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash })))
}

/** @returns whether the code was there and unused until now. */
export const takeRecoveryCode = async (db: Db, userId: string, hash: string): Promise<boolean> => {
  const rows = await db
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.hash, hash),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ hash: recoveryCodes.hash })
  return rows.length > 0
}

export const countRecoveryCodes = async (db: Db, userId: string): Promise<number> => {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return row?.left ?? 0
}

/** Starts to wait for a second factor, and forgets what waited in vain. */
export const insertChallenge = async (
  db: Db,
  challenge: typeof mfaChallenges.$inferInsert,
): Promise<void> => {
  await db.delete(mfaChallenges).where(lt(mfaChallenges.expiresAt, sql`now() - interval '1 hour'`))
  await db.insert(mfaChallenges).values(challenge)
}

/**
 * Counts a try before it is made, so that parallel tries cannot pass the limit together.
 * @returns whose sign-in it is, or undefined when it ended, was used, or has been tried enough.
 */
export const takeAttempt = async (db: Db, id: string): Promise<string | undefined> => {
  const [row] = await db
    .update(mfaChallenges)
    .set({ attempts: sql`${mfaChallenges.attempts} + 1` })
    .where(
      and(
        eq(mfaChallenges.id, id),
        isNull(mfaChallenges.usedAt),
        gt(mfaChallenges.expiresAt, sql`now()`),
        lt(mfaChallenges.attempts, MAX_ATTEMPTS),
      ),
    )
    .returning({ userId: mfaChallenges.userId })
  return row?.userId
}

/** @returns whether the sign-in was still waiting: true once. */
export const finishChallenge = async (db: Db, id: string): Promise<boolean> => {
  const rows = await db
    .update(mfaChallenges)
    .set({ usedAt: sql`now()` })
    .where(and(eq(mfaChallenges.id, id), isNull(mfaChallenges.usedAt)))
    .returning({ id: mfaChallenges.id })
  return rows.length > 0
}

export const deleteChallenges = async (db: Db, userId: string): Promise<void> => {
  await db.delete(mfaChallenges).where(eq(mfaChallenges.userId, userId))
}
