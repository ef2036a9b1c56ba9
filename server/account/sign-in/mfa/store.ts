import { and, count, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { type MfaSecretRow, mfaChallenges, mfaSecrets, recoveryCodes } from './table.ts'

const MAX_ATTEMPTS = 5

export const findSecret = async (db: Db, userId: string): Promise<MfaSecretRow | undefined> => {
  const [row] = await db.select().from(mfaSecrets).where(eq(mfaSecrets.userId, userId))
  return row
}

/** Saves a secret, unless one is enabled. @returns whether it was saved. */
export const saveSecret = async (db: Db, userId: string, secret: string): Promise<boolean> => {
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

/** @returns true for the one call that enables the secret. */
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

/**
 * Consumes the code of a time step.
 * @returns false when a code of this step or a later one was consumed before.
 */
export const consumeStep = async (
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

/** Deletes the second factor of a user with its recovery codes and challenges. */
export const deleteSecret = async (db: Db, userId: string): Promise<void> => {
  await db.delete(mfaSecrets).where(eq(mfaSecrets.userId, userId))
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.delete(mfaChallenges).where(eq(mfaChallenges.userId, userId))
}

/** Deletes the second factor of a user if it was enabled after a time, or not at all. */
export const endFactorSince = async (tx: Db, userId: string, time: Date): Promise<void> => {
  const secret = await findSecret(tx, userId)
  if (secret && (secret.enabledAt ?? time) >= time) await deleteSecret(tx, userId)
}

export const replaceRecoveryCodes = async (
  db: Db,
  userId: string,
  hashes: string[],
): Promise<void> => {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash })))
}

/** @returns whether the code exists and was unused. */
export const consumeRecoveryCode = async (
  db: Db,
  userId: string,
  hash: string,
): Promise<boolean> => {
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
    .select({ total: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return row?.total ?? 0
}

/** Also deletes challenges that expired more than an hour ago. */
export const insertChallenge = async (
  db: Db,
  challenge: typeof mfaChallenges.$inferInsert,
): Promise<void> => {
  await db.delete(mfaChallenges).where(lt(mfaChallenges.expiresAt, sql`now() - interval '1 hour'`))
  await db.insert(mfaChallenges).values(challenge)
}

/**
 * Counts an attempt before it is made, so that parallel attempts cannot exceed the limit.
 * @returns the user of the challenge, or undefined when it is expired, used, or out of attempts.
 */
export const consumeAttempt = async (
  db: Db,
  id: string,
): Promise<{ userId: string; method: string | null } | undefined> => {
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
    .returning({ userId: mfaChallenges.userId, method: mfaChallenges.method })
  return row
}

/** @returns true for the one call that finishes the challenge. */
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
