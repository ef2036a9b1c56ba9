import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

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
export const readSignedEvent = (value: unknown): SignedEvent | undefined =>
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
