import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import type { PurchaseState } from './state.ts'
import { creditPurchases, type PurchaseRow } from './table.ts'

/** Reads a payment so that nobody else changes it until the end of the transaction. */
export const lockPurchase = async (tx: Db, paymentId: string): Promise<PurchaseRow> => {
  await tx.insert(creditPurchases).values({ paymentId }).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(creditPurchases)
    .where(eq(creditPurchases.paymentId, paymentId))
    .for('update')
  return row as PurchaseRow
}

export const findBuyer = async (db: Db, paymentId: string): Promise<string | null> => {
  const [row] = await db
    .select({ userId: creditPurchases.userId })
    .from(creditPurchases)
    .where(eq(creditPurchases.paymentId, paymentId))
  return row?.userId ?? null
}

export const writePurchase = async (
  tx: Db,
  paymentId: string,
  state: PurchaseState,
): Promise<void> => {
  await tx.update(creditPurchases).set(state).where(eq(creditPurchases.paymentId, paymentId))
}
