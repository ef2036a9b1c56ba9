import type { Db } from '../../platform/db/database.ts'
import type { AccountService } from '../accounts/service.ts'
import { changePurchase, findBuyer, lockPurchase } from './store.ts'

export type CreditService = ReturnType<typeof createCreditService>

/** Credits that are bought, and paid back; each payment counts once, in whichever order it is told of. */
export const createCreditService = (accounts: Pick<AccountService, 'addCredits'>) => {
  const settle = async (
    tx: Db,
    paymentId: string,
    told: { userId?: string; boughtMicros?: number; paidBackMicros?: number },
  ): Promise<{ isFirst: boolean }> => {
    const before = await lockPurchase(tx, paymentId)
    const after = {
      userId: before.userId ?? told.userId ?? null,
      boughtMicros: Math.max(before.boughtMicros, told.boughtMicros ?? 0),
      // The provider tells the sum of all that was paid back.
      paidBackMicros: Math.max(before.paidBackMicros, told.paidBackMicros ?? 0),
    }
    await changePurchase(tx, paymentId, after)
    const added = worthOf(after) - worthOf(before)
    if (after.userId && added !== 0) await accounts.addCredits(tx, after.userId, added)
    return { isFirst: before.boughtMicros === 0 && after.boughtMicros > 0 }
  }

  return {
    /** Whose payment it is, where that is known. */
    buyerOf: findBuyer,

    /** @returns whether it was not known of before. */
    buy: async (tx: Db, paymentId: string, userId: string, micros: number): Promise<boolean> =>
      (await settle(tx, paymentId, { userId, boughtMicros: micros })).isFirst,

    /** Takes credits away whose payment was paid back; whoever spent them by then owes them. */
    async payBack(tx: Db, paymentId: string, micros: number): Promise<void> {
      await settle(tx, paymentId, { paidBackMicros: micros })
    },
  }
}

const worthOf = (purchase: { boughtMicros: number; paidBackMicros: number }): number =>
  Math.max(0, purchase.boughtMicros - purchase.paidBackMicros)
