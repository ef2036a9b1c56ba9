import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { TierName } from '../../../shared/schemas/billing.ts'
import { holdUser } from '../../account/users/hold.ts'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { type BillingAccountRow, billingAccounts } from './table.ts'

/**
 * Reads a person's account, made if there was none, so that nobody else changes it until the end of the
 * transaction. @returns undefined when there is no such person.
 */
export const lockAccount = async (
  tx: Db,
  userId: string,
): Promise<BillingAccountRow | undefined> => {
  if (!(await holdUser(tx, userId))) return undefined
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

export const changeAccount = async (
  tx: Db,
  userId: string,
  change: Partial<typeof billingAccounts.$inferInsert>,
): Promise<void> => {
  await tx.update(billingAccounts).set(change).where(eq(billingAccounts.userId, userId))
}

/** Adds to what a person has to spend, or takes from it. */
export const addCredits = async (tx: Db, userId: string, micros: number): Promise<void> => {
  await tx
    .update(billingAccounts)
    .set({ balanceMicros: sql`${billingAccounts.balanceMicros} + ${micros}::bigint` })
    .where(eq(billingAccounts.userId, userId))
}

export const rememberCustomer = async (
  tx: Db,
  userId: string,
  customerId: string,
): Promise<void> => {
  await tx
    .update(billingAccounts)
    .set({ customerId })
    .where(and(eq(billingAccounts.userId, userId), isNull(billingAccounts.customerId)))
}

export const forgetCustomer = async (db: Db, userId: string, customerId: string): Promise<void> => {
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
