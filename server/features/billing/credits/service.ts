import type { AuditService } from '../../../account/users/audit/service.ts'
import { lockUserShared } from '../../../account/users/lock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { BillingAccounts } from '../../../usage/accounts/service.ts'
import { microsToCredits } from '../../../usage/money.ts'
import { applyPurchaseEvent, creditValue, type PurchaseEvent } from './state.ts'
import { findBuyerId, lockPurchase, updatePurchase } from './store.ts'

export type CreditService = ReturnType<typeof createCreditService>

/** The reason in the audit trail. */
const REASONS = {
  bought: 'purchase',
  refunded: 'refund',
  'refund-failed': 'refund',
  disputed: 'dispute',
} as const

/** Purchases of credits. Each payment, refund and dispute counts once, in any order of their events. */
export const createCreditService = (
  accounts: Pick<BillingAccounts, 'addCredits'>,
  record: AuditService['record'],
) => {
  const addCredits = async (
    tx: Db,
    userId: string,
    micros: number,
    { paymentId, kind }: { paymentId: string; kind: PurchaseEvent['kind'] },
  ): Promise<void> => {
    await lockUserShared(tx, userId)
    await accounts.addCredits(tx, userId, micros)
    const added = kind === 'bought' ? 'credits.bought' : 'credits.restored'
    await record(tx, {
      userId,
      action: micros < 0 ? 'credits.reversed' : added,
      subject: paymentId,
      details: { credits: microsToCredits(Math.abs(micros)), reason: REASONS[kind] },
    })
  }

  return {
    findBuyerId,

    /**
     * Applies an event to a purchase and adjusts the buyer's credits by the difference; a refund of
     * spent credits makes the balance negative.
     * @returns whether the event is the purchase itself, for the first time.
     */
    async apply(tx: Db, paymentId: string, event: PurchaseEvent): Promise<boolean> {
      const { paymentId: _, createdAt: __, ...before } = await lockPurchase(tx, paymentId)
      const after = applyPurchaseEvent(before, event)
      await updatePurchase(tx, paymentId, after)
      const added = creditValue(after) - creditValue(before)
      if (after.userId && added !== 0)
        await addCredits(tx, after.userId, added, { paymentId, kind: event.kind })
      return before.boughtMicros === 0 && after.boughtMicros > 0
    },
  }
}
