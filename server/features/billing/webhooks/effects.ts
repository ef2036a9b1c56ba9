import { Value } from '@sinclair/typebox/value'
import { isUuid } from '../../../../shared/contract/common.ts'
import { centsToMicros } from '../../../usage/money.ts'
import type { TierCatalog } from '../../../usage/tiers.ts'
import type { PurchaseEvent } from '../credits/state.ts'
import {
  Charge,
  ChargeReversal,
  CheckoutSession,
  Invoice,
  type SignedEvent,
  StripeSubscription,
} from '../stripe/events.ts'
import type { SubscriptionEvent } from '../subscriptions/state.ts'

/** The change to billing that a Stripe event stands for. */
export type Effect =
  | {
      kind: 'subscription'
      subscriptionId: string
      customerId: string | null
      /** The checkout session it was paid in, if the event names one. */
      checkoutId?: string
      event: SubscriptionEvent
    }
  | {
      kind: 'purchase'
      paymentId: string
      customerId: string | null
      userId: string
      micros: number
      choosesPayg: boolean
    }
  | { kind: 'reversal'; paymentId: string; event: PurchaseEvent }

const SUBSCRIPTION_PREFIX = 'customer.subscription.'
const CHECKOUTS = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
])
const INVOICES: Record<string, 'paid' | 'failed'> = {
  'invoice.paid': 'paid',
  'invoice.payment_succeeded': 'paid',
  'invoice.payment_failed': 'failed',
}
const REFUNDS = new Set(['refund.failed', 'refund.updated', 'charge.refund.updated'])

/** @returns undefined for an event without an effect here, or without the fields for it. */
export const effectOf = (event: SignedEvent, tiers: TierCatalog): Effect | undefined => {
  const { type, created: at } = event
  const object: unknown = event.data.object
  if (type.startsWith(SUBSCRIPTION_PREFIX) && Value.Check(StripeSubscription, object))
    return subscriptionEffect(object, type.slice(SUBSCRIPTION_PREFIX.length), at, tiers)
  if (CHECKOUTS.has(type) && Value.Check(CheckoutSession, object)) return checkoutEffect(object, at)
  const invoice = INVOICES[type]
  if (invoice && Value.Check(Invoice, object)) return invoiceEffect(object, invoice, at)
  if (type === 'charge.refunded' && Value.Check(Charge, object))
    return {
      kind: 'reversal',
      paymentId: idOf(object.payment_intent) ?? object.id,
      event: { kind: 'refunded', micros: centsToMicros(object.amount_refunded), at },
    }
  if (type.startsWith('charge.dispute.') && Value.Check(ChargeReversal, object))
    return disputeEffect(object, at)
  if (REFUNDS.has(type) && Value.Check(ChargeReversal, object))
    return failedRefundEffect(object, at)
  return undefined
}

const subscriptionEffect = (
  object: StripeSubscription,
  name: string,
  at: number,
  tiers: TierCatalog,
): Effect => {
  const items = object.items?.data ?? []
  const ends = [object.current_period_end, ...items.map((item) => item.current_period_end)]
  // The price is current; the metadata dates from the checkout.
  const tiersOfPrices = items.flatMap(({ price }) => (price && tiers.ofPrice(price.id)) || [])
  return {
    kind: 'subscription',
    subscriptionId: object.id,
    customerId: idOf(object.customer),
    event: {
      userId: userIdOf(object.metadata?.user_id),
      tier: tiersOfPrices[0] ?? object.metadata?.tier ?? null,
      at,
      details: {
        kind: 'subscription',
        event: name === 'created' || name === 'deleted' ? name : 'updated',
        status: object.status,
        periodEnd: Math.max(0, ...ends.map((end) => end ?? 0)) || null,
        cancelsAtPeriodEnd: Boolean(object.cancel_at_period_end || object.cancel_at),
      },
    },
  }
}

const checkoutEffect = (object: CheckoutSession, at: number): Effect | undefined => {
  // Some payment methods take days; async_payment_succeeded follows.
  if (object.payment_status === 'unpaid') return undefined
  // Not client_reference_id: on a payment link the payer can set it.
  const userId = userIdOf(object.metadata?.user_id)
  const tier = object.metadata?.tier ?? null
  const customerId = idOf(object.customer)
  const subscriptionId = idOf(object.subscription)
  if (object.mode === 'subscription' && subscriptionId) {
    const event: SubscriptionEvent = { userId, tier, at, details: { kind: 'paid' } }
    return { kind: 'subscription', subscriptionId, customerId, checkoutId: object.id, event }
  }
  const isDollars = (object.currency ?? 'usd').toLowerCase() === 'usd'
  if (object.mode !== 'payment' || !userId || !isDollars || !object.amount_total) return undefined
  return {
    kind: 'purchase',
    paymentId: idOf(object.payment_intent) ?? object.id,
    customerId,
    userId,
    micros: centsToMicros(object.amount_total),
    choosesPayg: tier === 'payg',
  }
}

const disputeEffect = (object: ChargeReversal, at: number): Effect | undefined => {
  const { id: disputeId, amount, status } = object
  const paymentId = idOf(object.payment_intent) ?? idOf(object.charge)
  if (!paymentId || !status) return undefined
  const event = { kind: 'disputed' as const, disputeId, micros: centsToMicros(amount), status, at }
  return { kind: 'reversal', paymentId, event }
}

const failedRefundEffect = (object: ChargeReversal, at: number): Effect | undefined => {
  const { id: refundId, amount, status } = object
  const paymentId = idOf(object.payment_intent) ?? idOf(object.charge)
  if (!paymentId || (status !== 'failed' && status !== 'canceled')) return undefined
  const event = { kind: 'refund-failed' as const, refundId, micros: centsToMicros(amount), at }
  return { kind: 'reversal', paymentId, event }
}

const invoiceEffect = (
  object: Invoice,
  kind: 'paid' | 'failed',
  at: number,
): Effect | undefined => {
  const subscription = object.parent?.subscription_details ?? object.subscription_details
  const subscriptionId = idOf(object.subscription) ?? idOf(subscription?.subscription)
  if (!subscriptionId) return undefined
  const event: SubscriptionEvent = {
    userId: userIdOf(subscription?.metadata?.user_id),
    tier: subscription?.metadata?.tier ?? null,
    at,
    details: { kind },
  }
  return { kind: 'subscription', subscriptionId, customerId: idOf(object.customer), event }
}

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

const userIdOf = (value: string | null | undefined): string | null =>
  value && isUuid(value) ? value.toLowerCase() : null
