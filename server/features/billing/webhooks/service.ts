import { paymentsWebhook, stripeWebhook } from '../../../../shared/contract/index.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { Log } from '../../../platform/log.ts'
import type { BillingAccounts } from '../../../usage/accounts/service.ts'
import type { TierCatalog } from '../../../usage/tiers.ts'
import type { CheckoutRecords } from '../checkout/payment-pages.ts'
import type { CreditService } from '../credits/service.ts'
import { verifyEvent } from '../stripe/events.ts'
import type { Cancellation, SubscriptionService } from '../subscriptions/service.ts'
import { type Effect, effectOf } from './effects.ts'
import { recordEvent } from './store.ts'

export type WebhookService = ReturnType<typeof startWebhooks>

/** Applies the payment provider's events, which arrive repeatedly and in any order. */
export const startWebhooks = ({
  database: { db },
  tiers,
  settings: { webhookSecret },
  log,
  ...applyDeps
}: ApplyDeps & {
  database: Database
  tiers: TierCatalog
  settings: { webhookSecret: string | undefined }
  log: Log
}) => {
  const applyEffect = createApplyEffect(applyDeps)

  return {
    /** Applies an event before it is acknowledged. @throws as `verifyEvent`. */
    async receive(body: string, signature: string | null): Promise<{ received: boolean }> {
      const event = await verifyEvent(body, signature, webhookSecret)
      const effect = effectOf(event, tiers)
      const fields = { event_id: event.id, type: event.type }
      if (!effect) {
        log.info(fields, 'payment event without effect')
        return { received: true }
      }
      await db.transaction(async (tx) => {
        if (!(await recordEvent(tx, event.id, event.type))) return
        if (!(await applyEffect(tx, effect)))
          log.warn(fields, 'payment event for a user who does not exist')
      })
      return { received: true }
    },
  }
}

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>

interface ApplyDeps {
  accounts: BillingAccounts
  subscriptions: SubscriptionService
  credits: CreditService
  cancellation: Pick<Cancellation, 'cancelLower' | 'cancel'>
  checkouts: Pick<CheckoutRecords, 'has'>
}

/**
 * @returns a function that applies an effect within a transaction. Its result is false if the user does
 * not exist.
 */
const createApplyEffect = ({
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

export const webhookRoutes = (mount: Mount, webhooks: WebhookService): void => {
  for (const row of [paymentsWebhook, stripeWebhook])
    mount(row, async ({ text, header }) =>
      webhooks.receive(await text(), header('stripe-signature')),
    )
}
