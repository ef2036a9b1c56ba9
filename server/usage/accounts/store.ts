import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { TierName } from '../../../shared/tiers.ts'
import { lockUserShared } from '../../account/users/lock.ts'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { type BillingAccountRow, billingAccounts } from './table.ts'

/**
 * Locks a user's billing account until the end of the transaction; creates it if there is none.
 * @returns undefined if the user does not exist.
 */
export const lockAccount = async (
  tx: Db,
  userId: string,
): Promise<BillingAccountRow | undefined> => {
  if (!(await lockUserShared(tx, userId))) return undefined
  await tx.insert(billingAccounts).values({ userId }).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(billingAccounts)
    .where(eq(billingAccounts.userId, userId))
    .for('update')
  return row
}

export const findAccount = async (
  db: Db,
  userId: string,
): Promise<BillingAccountRow | undefined> => {
  const [row] = await db.select().from(billingAccounts).where(eq(billingAccounts.userId, userId))
  return row
}

export const updateAccount = async (
  tx: Db,
  userId: string,
  change: Partial<typeof billingAccounts.$inferInsert>,
): Promise<void> => {
  await tx.update(billingAccounts).set(change).where(eq(billingAccounts.userId, userId))
}

/** `micros` is negative to remove credits. */
export const addCredits = async (tx: Db, userId: string, micros: number): Promise<void> => {
  await tx
    .update(billingAccounts)
    .set({ balanceMicros: sql`${billingAccounts.balanceMicros} + ${micros}::bigint` })
    .where(eq(billingAccounts.userId, userId))
}

/** The first customer of a user stays. */
export const setCustomer = async (tx: Db, userId: string, customerId: string): Promise<void> => {
  await tx
    .update(billingAccounts)
    .set({ customerId })
    .where(and(eq(billingAccounts.userId, userId), isNull(billingAccounts.customerId)))
}

export const clearCustomer = async (db: Db, userId: string, customerId: string): Promise<void> => {
  await db
    .update(billingAccounts)
    .set({ customerId: null })
    .where(and(eq(billingAccounts.userId, userId), eq(billingAccounts.customerId, customerId)))
}

export const setTier = async (tx: Db, userId: string, tier: TierName): Promise<void> => {
  await tx
    .update(users)
    .set({ tier })
    .where(and(eq(users.id, userId), ne(users.tier, tier)))
}
