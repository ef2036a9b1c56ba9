import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { creditPurchases } from './table.ts'

type Purchase = typeof creditPurchases.$inferSelect

/** Reads a payment so that nobody else changes it until the end of the transaction. */
export const lockPurchase = async (tx: Db, paymentId: string): Promise<Purchase> => {
  await tx.insert(creditPurchases).values({ paymentId }).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(creditPurchases)
    .where(eq(creditPurchases.paymentId, paymentId))
    .for('update')
  return row as Purchase
}

export const findBuyer = async (db: Db, paymentId: string): Promise<string | null> => {
  const [row] = await db
    .select({ userId: creditPurchases.userId })
    .from(creditPurchases)
    .where(eq(creditPurchases.paymentId, paymentId))
  return row?.userId ?? null
}

export const changePurchase = async (
  tx: Db,
  paymentId: string,
  change: Partial<Purchase>,
): Promise<void> => {
  await tx.update(creditPurchases).set(change).where(eq(creditPurchases.paymentId, paymentId))
}
