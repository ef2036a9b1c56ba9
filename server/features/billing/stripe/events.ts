import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { billingError } from '../errors.ts'
import { loadStripe } from './client.ts'

/*
 * The fields of Stripe's objects that the server reads. Fields that some versions of Stripe's API lack
 * are optional.
 */
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

/** @returns undefined if the value is not a Stripe event. */
const readSignedEvent = (value: unknown): SignedEvent | undefined =>
  Value.Check(SignedEvent, value) ? value : undefined

export const CheckoutSession = Type.Object({
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
export type CheckoutSession = Static<typeof CheckoutSession>

export const StripeSubscription = Type.Object({
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
export type StripeSubscription = Static<typeof StripeSubscription>

const details = maybe(Type.Object({ subscription: reference, metadata }))
export const Invoice = Type.Object({
  id: Type.String(),
  customer: reference,
  subscription: reference,
  subscription_details: details,
  parent: maybe(Type.Object({ subscription_details: details })),
})
export type Invoice = Static<typeof Invoice>

export const Charge = Type.Object({
  id: Type.String(),
  payment_intent: reference,
  amount_refunded: Type.Integer({ minimum: 0 }),
})

/** The common fields of a dispute and of a refund. */
export const ChargeReversal = Type.Object({
  id: Type.String(),
  amount: Type.Integer({ minimum: 0 }),
  status: maybe(Type.String()),
  payment_intent: reference,
  charge: reference,
})
export type ChargeReversal = Static<typeof ChargeReversal>

/**
 * Verifies the signature of a webhook body.
 * @throws ApiError 400 for a missing, wrong or expired signature and for a body that is not an event,
 * 503 without a webhook secret.
 */
export const verifyEvent = async (
  body: string,
  signature: string | null,
  webhookSecret: string | undefined,
): Promise<SignedEvent> => {
  if (!signature) throw billingError('webhook_signature_missing')
  if (!webhookSecret) throw billingError('payments_not_configured', 'SVC_STRIPE_WEBHOOK_SECRET')
  const { webhooks } = await loadStripe()
  const signed: unknown = await webhooks
    .constructEventAsync(body, signature, webhookSecret)
    .catch(() => {
      throw billingError('webhook_signature_invalid')
    })
  const event = readSignedEvent(signed)
  if (!event) throw billingError('webhook_event_invalid')
  return event
}

/** Whether `a` comes after `b`, by the first position at which they differ. */
export const isGreater = (a: (number | string)[], b: (number | string)[]): boolean => {
  const i = a.findIndex((value, index) => value !== b[index])
  const [one, other] = [a[i], b[i]]
  return one !== undefined && other !== undefined && one > other
}
