import type { Db } from '../../platform/db/database.ts'
import type { AccountService } from '../accounts/service.ts'
import type { CheckoutRecords } from '../checkout/records.ts'
import type { CreditService } from '../credits/service.ts'
import type { Effect } from '../stripe/effects.ts'
import type { Cancellation } from '../subscriptions/cancellation.ts'
import type { SubscriptionService } from '../subscriptions/service.ts'

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>

export interface ApplyDeps {
  accounts: AccountService
  subscriptions: SubscriptionService
  credits: CreditService
  cancellation: Pick<Cancellation, 'cancelLower' | 'cancel'>
  checkouts: Pick<CheckoutRecords, 'has'>
}

/**
 * @returns a function that applies an effect within a transaction. Its result is false if the user does
 * not exist.
 */
export const createApplyEffect = ({
  accounts,
  subscriptions,
  credits,
  cancellation,
  checkouts,
}: ApplyDeps) => {
  const applyPurchase = async (tx: Db, effect: EffectOf<'purchase'>): Promise<boolean> => {
    const { paymentId, userId, micros, choosesPayg, customerId } = effect
    if (!(await accounts.lock(tx, userId))) return false
    const isNew = await credits.apply(tx, paymentId, { kind: 'bought', userId, micros })
    if (customerId) await accounts.setCustomer(tx, userId, customerId)
    if (isNew && choosesPayg) await accounts.update(tx, userId, () => ({ paysAsTheyGo: true }))
    return true
  }

  const applyReversal = async (tx: Db, effect: EffectOf<'reversal'>): Promise<boolean> => {
    const userId = await credits.findBuyerId(tx, effect.paymentId)
    if (userId) await accounts.lock(tx, userId)
    await credits.apply(tx, effect.paymentId, effect.event)
    return true
  }

  const applySubscription = async (tx: Db, effect: EffectOf<'subscription'>): Promise<boolean> => {
    const { subscriptionId, event, customerId, checkoutId } = effect
    const userId = event.userId ?? (await subscriptions.findSubscriberId(tx, subscriptionId))
    if (userId && !(await accounts.lock(tx, userId))) {
      // Another server may share the Stripe account: cancel only subscriptions sold by this one.
      if (checkoutId && (await checkouts.has(tx, checkoutId)))
        await cancellation.cancel(tx, subscriptionId)
      return false
    }
    const subscriberId = await subscriptions.apply(tx, subscriptionId, event)
    if (!subscriberId) return true
    if (customerId) await accounts.setCustomer(tx, subscriberId, customerId)
    await accounts.update(tx, subscriberId)
    await cancellation.cancelLower(tx, subscriberId)
    return true
  }

  return (tx: Db, effect: Effect): Promise<boolean> => {
    if (effect.kind === 'purchase') return applyPurchase(tx, effect)
    if (effect.kind === 'reversal') return applyReversal(tx, effect)
    return applySubscription(tx, effect)
  }
}
