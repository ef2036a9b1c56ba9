import { eq } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import type { PurchaseState } from './state.ts'
import { creditPurchases, type PurchaseRow } from './table.ts'

/** Locks a purchase until the end of the transaction; creates an empty one if there is none. */
export const lockPurchase = async (tx: Db, paymentId: string): Promise<PurchaseRow> => {
  await tx.insert(creditPurchases).values({ paymentId }).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(creditPurchases)
    .where(eq(creditPurchases.paymentId, paymentId))
    .for('update')
  return row as PurchaseRow
}

export const findBuyerId = async (db: Db, paymentId: string): Promise<string | null> => {
  const [row] = await db
    .select({ userId: creditPurchases.userId })
    .from(creditPurchases)
    .where(eq(creditPurchases.paymentId, paymentId))
  return row?.userId ?? null
}

export const updatePurchase = async (
  tx: Db,
  paymentId: string,
  state: PurchaseState,
): Promise<void> => {
  await tx.update(creditPurchases).set(state).where(eq(creditPurchases.paymentId, paymentId))
}
