import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { signInGuards } from './table.ts'

const MAX_FAILURES = 10
const LOCK_MINUTES = 15

/**
 * Counts an attempt before it is made, so that parallel attempts cannot exceed the limit.
 * @returns undefined when the attempt may be made, or the minutes that the address stays locked.
 */
export const reserveSignIn = async (db: Db, email: string): Promise<number | undefined> => {
  const lockEnds = sql`now() + ${`${LOCK_MINUTES} minutes`}::interval`
  const isExpired = lt(signInGuards.lockedUntil, sql`now()`)
  const [reserved] = await db
    .insert(signInGuards)
    .values({ email, failures: 1 })
    .onConflictDoUpdate({
      target: signInGuards.email,
      set: {
        failures: sql`case when ${isExpired} then 1 else ${signInGuards.failures} + 1 end`,
        lockedUntil: sql`case when ${isExpired} then null
          when ${signInGuards.failures} + 1 >= ${MAX_FAILURES} then ${lockEnds}
          else ${signInGuards.lockedUntil} end`,
        updatedAt: sql`now()`,
      },
      setWhere: sql`${signInGuards.failures} < ${MAX_FAILURES} or ${isExpired}`,
    })
    .returning({ failures: signInGuards.failures })
  if (reserved) return undefined
  const [guard] = await db
    .select({
      minutes: sql<number>`greatest(1, ceil(extract(epoch from ${signInGuards.lockedUntil} - now()) / 60))::integer`,
    })
    .from(signInGuards)
    .where(eq(signInGuards.email, email))
  return guard?.minutes ?? LOCK_MINUTES
}

/** Refunds an attempt that did not fail, and unlocks the address if that attempt locked it. */
export const releaseSignIn = async (db: Db, email: string): Promise<void> => {
  await db
    .update(signInGuards)
    .set({ failures: sql`${signInGuards.failures} - 1`, lockedUntil: null })
    .where(and(eq(signInGuards.email, email), gt(signInGuards.failures, 0)))
}

export const touchSignInGuard = async (db: Db, email: string): Promise<void> => {
  await db.update(signInGuards).set({ updatedAt: sql`now()` }).where(eq(signInGuards.email, email))
}

/** Deletes guards that were last used more than 30 days ago. */
export const deleteIdleGuards = async (db: Db): Promise<void> => {
  await db.delete(signInGuards).where(lt(signInGuards.updatedAt, sql`now() - interval '30 days'`))
}

export const clearSignInGuard = async (db: Db, email: string): Promise<void> => {
  await db.delete(signInGuards).where(eq(signInGuards.email, email))
}
