import { eq } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import type { SubscriptionState } from './state.ts'
import { type SubscriptionRow, subscriptions } from './table.ts'

/** Locks a subscription until the end of the transaction; creates an empty one if there is none. */
export const lockSubscription = async (
  tx: Db,
  subscriptionId: string,
): Promise<SubscriptionRow> => {
  await tx.insert(subscriptions).values({ subscriptionId }).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.subscriptionId, subscriptionId))
    .for('update')
  return row as SubscriptionRow
}

export const updateSubscription = async (
  tx: Db,
  subscriptionId: string,
  state: SubscriptionState,
): Promise<void> => {
  await tx.update(subscriptions).set(state).where(eq(subscriptions.subscriptionId, subscriptionId))
}

export const listSubscriptions = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db.select().from(subscriptions).where(eq(subscriptions.userId, userId))

export const findSubscriberId = async (db: Db, subscriptionId: string): Promise<string | null> => {
  const [row] = await db
    .select({ userId: subscriptions.userId })
    .from(subscriptions)
    .where(eq(subscriptions.subscriptionId, subscriptionId))
  return row?.userId ?? null
}
