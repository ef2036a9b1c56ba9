import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isUuid } from '../../../shared/schemas/common.ts'
import type { PurchaseEvidence } from '../credits/state.ts'
import { ofCents } from '../money.ts'
import type { Evidence } from '../subscriptions/state.ts'
import type { Tiers } from '../tiers.ts'

/** What an event means to us. */
export type Effect =
  | {
      kind: 'subscription'
      subscriptionId: string
      customerId: string | null
      /** The page that it was paid on, where it tells of one. */
      checkoutId?: string
      evidence: Evidence
    }
  | {
      kind: 'purchase'
      paymentId: string
      customerId: string | null
      userId: string
      micros: number
      choosesPayg: boolean
    }
  | { kind: 'reversal'; paymentId: string; evidence: PurchaseEvidence }

/** Of the provider's many fields the ones that count, in every version of its API that has them. */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const reference = maybe(Type.Union([Type.String(), Type.Object({ id: Type.String() })]))
const metadata = maybe(Type.Record(Type.String(), Type.String()))
const seconds = Type.Integer({ minimum: 0 })

const SignedEvent = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.String(),
  created: seconds,
  data: Type.Object({ object: Type.Object({}) }),
})
export type SignedEvent = Static<typeof SignedEvent>

const CheckoutSession = Type.Object({
  id: Type.String(),
  mode: Type.String(),
  payment_status: maybe(Type.String()),
  amount_total: maybe(Type.Integer({ minimum: 0 })),
  currency: maybe(Type.String()),
  payment_intent: reference,
  subscription: reference,
  customer: reference,
  metadata,
})

const StripeSubscription = Type.Object({
  id: Type.String(),
  status: Type.String(),
  customer: reference,
  cancel_at_period_end: maybe(Type.Boolean()),
  cancel_at: maybe(seconds),
  current_period_end: maybe(seconds),
  items: maybe(
    Type.Object({
      data: Type.Array(
        Type.Object({
          current_period_end: maybe(seconds),
          price: maybe(Type.Object({ id: Type.String() })),
        }),
      ),
    }),
  ),
  metadata,
})

const details = maybe(Type.Object({ subscription: reference, metadata }))
const Invoice = Type.Object({
  id: Type.String(),
  customer: reference,
  subscription: reference,
  subscription_details: details,
  parent: maybe(Type.Object({ subscription_details: details })),
})

const Charge = Type.Object({
  id: Type.String(),
  payment_intent: reference,
  amount_refunded: Type.Integer({ minimum: 0 }),
})

/** What is about a charge, and tells less of it than the charge itself. */
const aboutCharge = {
  id: Type.String(),
  amount: Type.Integer({ minimum: 0 }),
  status: maybe(Type.String()),
  payment_intent: reference,
  charge: reference,
}
const Dispute = Type.Object(aboutCharge)
const Refund = Type.Object(aboutCharge)

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

const personIn = (value: string | null | undefined): string | null =>
  value && isUuid(value) ? value.toLowerCase() : null

/** @returns undefined for what is no event at all. */
export const asEvent = (value: unknown): SignedEvent | undefined =>
  Value.Check(SignedEvent, value) ? value : undefined

/** Reads an event. @returns undefined for one that means nothing to us, or lacks what would. */
export const effectOf = (event: SignedEvent, tiers: Tiers): Effect | undefined => {
  const { type, created: at } = event
  const object: unknown = event.data.object
  if (type.startsWith('customer.subscription.') && Value.Check(StripeSubscription, object))
    return subscribed(object, type.slice('customer.subscription.'.length), at, tiers)
  if (
    /^checkout\.session\.(completed|async_payment_succeeded)$/.test(type) &&
    Value.Check(CheckoutSession, object)
  )
    return checkedOut(object, at)
  const invoiced = INVOICES[type]
  if (invoiced && Value.Check(Invoice, object)) return billed(object, invoiced, at)
  if (type === 'charge.refunded' && Value.Check(Charge, object))
    return {
      kind: 'reversal',
      paymentId: idOf(object.payment_intent) ?? object.id,
      evidence: { kind: 'paid-back', micros: ofCents(object.amount_refunded), at },
    }
  if (type.startsWith('charge.dispute.') && Value.Check(Dispute, object))
    return disputed(object, at)
  if (REFUNDS.has(type) && Value.Check(Refund, object)) return notRefunded(object, at)
  return undefined
}

const REFUNDS = new Set(['refund.failed', 'refund.updated', 'charge.refund.updated'])

const INVOICES: Record<string, 'paid' | 'failed'> = {
  'invoice.paid': 'paid',
  'invoice.payment_succeeded': 'paid',
  'invoice.payment_failed': 'failed',
}

const subscribed = (
  object: Static<typeof StripeSubscription>,
  name: string,
  at: number,
  tiers: Tiers,
): Effect => {
  const items = object.items?.data ?? []
  const ends = [object.current_period_end, ...items.map((item) => item.current_period_end)]
  // What is paid for says more than what was written down when it was sold.
  const sold = items.flatMap(({ price }) => (price && tiers.ofPrice(price.id)) || [])
  return {
    kind: 'subscription',
    subscriptionId: object.id,
    customerId: idOf(object.customer),
    evidence: {
      userId: personIn(object.metadata?.user_id),
      tier: sold[0] ?? object.metadata?.tier ?? null,
      at,
      told: {
        kind: 'subscription',
        event: name === 'created' || name === 'deleted' ? name : 'updated',
        status: object.status,
        periodEnd: Math.max(0, ...ends.map((end) => end ?? 0)) || null,
        cancelsAtPeriodEnd: Boolean(object.cancel_at_period_end || object.cancel_at),
      },
    },
  }
}

const checkedOut = (object: Static<typeof CheckoutSession>, at: number): Effect | undefined => {
  // Some ways to pay take days: another event follows.
  if (object.payment_status === 'unpaid') return undefined
  // Not by client_reference_id: on a payment link whoever pays can set it.
  const userId = personIn(object.metadata?.user_id)
  const tier = object.metadata?.tier ?? null
  const customerId = idOf(object.customer)
  const subscriptionId = idOf(object.subscription)
  if (object.mode === 'subscription' && subscriptionId) {
    const evidence: Evidence = { userId, tier, at, told: { kind: 'paid' } }
    return { kind: 'subscription', subscriptionId, customerId, checkoutId: object.id, evidence }
  }
  const isDollars = (object.currency ?? 'usd').toLowerCase() === 'usd'
  if (object.mode !== 'payment' || !userId || !isDollars || !object.amount_total) return undefined
  return {
    kind: 'purchase',
    paymentId: idOf(object.payment_intent) ?? object.id,
    customerId,
    userId,
    micros: ofCents(object.amount_total),
    choosesPayg: tier === 'payg',
  }
}

const disputed = (object: Static<typeof Dispute>, at: number): Effect | undefined => {
  const { id: disputeId, amount, status } = object
  const paymentId = idOf(object.payment_intent) ?? idOf(object.charge)
  if (!paymentId || !status) return undefined
  const evidence = { kind: 'disputed' as const, disputeId, micros: ofCents(amount), status, at }
  return { kind: 'reversal', paymentId, evidence }
}

const notRefunded = (object: Static<typeof Refund>, at: number): Effect | undefined => {
  const { id: refundId, amount, status } = object
  const paymentId = idOf(object.payment_intent) ?? idOf(object.charge)
  if (!paymentId || (status !== 'failed' && status !== 'canceled')) return undefined
  const evidence = { kind: 'refund-failed' as const, refundId, micros: ofCents(amount), at }
  return { kind: 'reversal', paymentId, evidence }
}

const billed = (
  object: Static<typeof Invoice>,
  kind: 'paid' | 'failed',
  at: number,
): Effect | undefined => {
  const about = object.parent?.subscription_details ?? object.subscription_details
  const subscriptionId = idOf(object.subscription) ?? idOf(about?.subscription)
  if (!subscriptionId) return undefined
  const evidence: Evidence = {
    userId: personIn(about?.metadata?.user_id),
    tier: about?.metadata?.tier ?? null,
    at,
    told: { kind },
  }
  return { kind: 'subscription', subscriptionId, customerId: idOf(object.customer), evidence }
}
