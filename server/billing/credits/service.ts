import type { AuditService } from '../../account/audit/service.ts'
import type { Db } from '../../platform/db/database.ts'
import type { AccountService } from '../accounts/service.ts'
import { inCredits } from '../money.ts'
import { learn, type PurchaseEvidence, worthOf } from './state.ts'
import { findBuyer, lockPurchase, writePurchase } from './store.ts'

export type CreditService = ReturnType<typeof createCreditService>

/** Why credits come or go, as the audit trail tells it. */
const REASONS = {
  bought: 'purchase',
  'paid-back': 'refund',
  'refund-failed': 'refund',
  disputed: 'dispute',
} as const

/**
 * Credits that are bought, and what goes back of their payments. Each payment, refund and dispute counts
 * once, in whichever order they are told of.
 */
export const createCreditService = (
  accounts: Pick<AccountService, 'addCredits'>,
  record: AuditService['record'],
) => {
  /** Changes what somebody has to spend, and tells them in their audit trail. */
  const add = async (
    tx: Db,
    userId: string,
    micros: number,
    { paymentId, kind }: { paymentId: string; kind: PurchaseEvidence['kind'] },
  ): Promise<void> => {
    await accounts.addCredits(tx, userId, micros)
    const came = kind === 'bought' ? 'credits.bought' : 'credits.given_back'
    await record(tx, {
      userId,
      action: micros < 0 ? 'credits.taken_back' : came,
      subject: paymentId,
      details: { credits: inCredits(Math.abs(micros)), reason: REASONS[kind] },
    })
  }

  return {
    /** Whose payment it is, where that is known. */
    buyerOf: findBuyer,

    /**
     * Takes up what is told of a payment. Credits whose money went back are taken away, and given again
     * where it came back; whoever spent them by then owes them.
     * @returns whether it tells of a purchase that was not known of before.
     */
    async learn(tx: Db, paymentId: string, evidence: PurchaseEvidence): Promise<boolean> {
      const { paymentId: _, createdAt: __, ...before } = await lockPurchase(tx, paymentId)
      const after = learn(before, evidence)
      await writePurchase(tx, paymentId, after)
      const added = worthOf(after) - worthOf(before)
      if (after.userId && added !== 0)
        await add(tx, after.userId, added, { paymentId, kind: evidence.kind })
      return before.boughtMicros === 0 && after.boughtMicros > 0
    },
  }
}
