import Stripe from 'stripe'
import type { Database, Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountService } from '../accounts/service.ts'
import type { CheckoutRecords } from '../checkout/records.ts'
import type { CreditService } from '../credits/service.ts'
import { asEvent, type Effect, effectOf, type SignedEvent } from '../stripe/events.ts'
import type { StripeSettings } from '../stripe/settings.ts'
import type { Cancellation } from '../subscriptions/cancellation.ts'
import type { SubscriptionService } from '../subscriptions/service.ts'
import type { Tiers } from '../tiers.ts'
import { deleteOldEvents, noteEvent } from './store.ts'

/** The provider brings an event again for three days; a page is open for one, and may be paid for weeks. */
const KEPT_DAYS = 60

export type WebhookService = Awaited<ReturnType<typeof startWebhooks>>

/** Takes what the payment provider tells: signed, more than once, and in any order. */
export const startWebhooks = async ({
  database: { db },
  jobs,
  accounts,
  subscriptions,
  credits,
  cancellation,
  checkouts,
  tiers,
  settings: { webhookSecret },
  log,
}: {
  database: Database
  jobs: Jobs
  accounts: AccountService
  subscriptions: SubscriptionService
  credits: CreditService
  cancellation: Pick<Cancellation, 'endLesser' | 'end'>
  checkouts: Pick<CheckoutRecords, 'has' | 'forgetOlder'>
  tiers: Tiers
  settings: StripeSettings
  log: Log
}) => {
  const run = async () => {
    await deleteOldEvents(db, KEPT_DAYS)
    await checkouts.forgetOlder(db, KEPT_DAYS)
  }
  await jobs.repeat({ name: 'billing.forget-events', retries: 2, run }, {}, '17 4 * * *')

  /** @throws ApiError 400 for what the provider did not sign, or signed too long ago. */
  const verified = async (body: string, signature: string | null): Promise<SignedEvent> => {
    if (!signature) throw new ApiError(400, 'The signature is missing')
    if (!webhookSecret)
      throw new ApiError(503, 'Payments are not configured: set SVC_STRIPE_WEBHOOK_SECRET')
    const signed: unknown = await Stripe.webhooks
      .constructEventAsync(body, signature, webhookSecret)
      .catch(() => {
        throw new ApiError(400, 'The signature is not good')
      })
    const event = asEvent(signed)
    if (!event) throw new ApiError(400, 'This is no event')
    return event
  }

  /** @returns false for somebody who is not there. */
  const act = async (tx: Db, effect: Effect): Promise<boolean> => {
    if (effect.kind === 'purchase') {
      const { paymentId, userId, micros, choosesPayg, customerId } = effect
      if (!(await accounts.hold(tx, userId))) return false
      const isFirst = await credits.learn(tx, paymentId, { kind: 'bought', userId, micros })
      if (customerId) await accounts.rememberCustomer(tx, userId, customerId)
      if (isFirst && choosesPayg) await accounts.change(tx, userId, () => ({ paysAsTheyGo: true }))
      return true
    }
    if (effect.kind === 'reversal') {
      const userId = await credits.buyerOf(tx, effect.paymentId)
      if (userId) await accounts.hold(tx, userId)
      await credits.learn(tx, effect.paymentId, effect.evidence)
      return true
    }
    const { subscriptionId, evidence, customerId, checkoutId } = effect
    const userId = evidence.userId ?? (await subscriptions.ownerOf(tx, subscriptionId))
    if (userId && !(await accounts.hold(tx, userId))) {
      // Another server may take payments with the same account of Stripe: only what was sold here is ended.
      if (checkoutId && (await checkouts.has(tx, checkoutId)))
        await cancellation.end(tx, subscriptionId)
      return false
    }
    const owner = await subscriptions.learn(tx, subscriptionId, evidence)
    if (!owner) return true
    if (customerId) await accounts.rememberCustomer(tx, owner, customerId)
    await accounts.change(tx, owner)
    await cancellation.endLesser(tx, owner)
    return true
  }

  return {
    /**
     * Takes a notification, whose effect is in the database when it is answered.
     * @throws ApiError 400 for a signature that is missing, wrong or old; 503 where none can be checked.
     */
    async receive(body: string, signature: string | null): Promise<{ received: boolean }> {
      const event = await verified(body, signature)
      const effect = effectOf(event, tiers)
      const told = { event_id: event.id, type: event.type }
      if (!effect) {
        log.info(told, 'a payment event without effect')
        return { received: true }
      }
      await db.transaction(async (tx) => {
        if (!(await noteEvent(tx, event.id, event.type))) return
        if (!(await act(tx, effect))) log.warn(told, 'a payment event of nobody here')
      })
      return { received: true }
    },
  }
}
