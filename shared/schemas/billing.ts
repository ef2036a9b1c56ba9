import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp } from './common.ts'

/** What is counted each month. */
export const METRICS = ['messages', 'urls', 'emails', 'transcriptions'] as const
export type Metric = (typeof METRICS)[number]

/** From the lowest to the highest; payg opens as much as the highest. */
export const TIER_NAMES = ['amnesiac', 'awakened', 'conscious', 'payg'] as const
export type TierName = (typeof TIER_NAMES)[number]
export const Tier = OneOf(TIER_NAMES)

/** What only some tiers open. */
export const FEATURES = ['deep', 'sage', 'webhooks'] as const
export type Feature = (typeof FEATURES)[number]

const count = Type.Integer({ minimum: 0 })
const limit = Nullable(count, { description: 'Null: none.' })

const eachMetric = <T extends TSchema>(schema: T) =>
  Type.Object({ messages: schema, urls: schema, emails: schema, transcriptions: schema })

export const TierTerms = Type.Object({
  name: Tier,
  price_usd: Type.Number({ description: 'A month; 0 where there is no subscription.' }),
  quotas: eachMetric(limit),
  seats: Nullable(count, { description: 'Members of an organization; null: no limit.' }),
  features: Type.Array(OneOf(FEATURES)),
})
export type TierTerms = Static<typeof TierTerms>

export const Tiers = Type.Object({ tiers: Type.Array(TierTerms) })
export type Tiers = Static<typeof Tiers>

const quota = Type.Object({ used: count, limit, remaining: limit })

export const Usage = Type.Object({
  tier: Tier,
  period_start: Timestamp({ description: 'The calendar month, in UTC.' }),
  period_end: Timestamp({ description: 'When it is counted anew.' }),
  usage: eachMetric(quota),
})
export type Usage = Static<typeof Usage>

const balance = {
  balance_credits: Type.Number({
    description: '1,000 credits are a US dollar. Below zero after a payment was taken back.',
  }),
  balance_usd: Type.Number(),
  low_balance: Type.Boolean({ description: 'Less than a US dollar is left.' }),
  depleted: Type.Boolean({ description: 'Nothing more can be paid for with it.' }),
}

export const Balance = Type.Object(balance)
export type Balance = Static<typeof Balance>

const cap = {
  cap_usd: Nullable(Type.Number(), {
    description: 'The most that pay as you go may spend in a calendar month; null: no limit.',
  }),
  spent_usd: Type.Number({ description: 'Spent this month.' }),
}

export const PaygCap = Type.Object(cap)
export type PaygCap = Static<typeof PaygCap>

export const SetPaygCap = Type.Object({
  cap_usd: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000 }), {
    description: 'US dollars with at most six decimals; null clears the cap.',
    examples: [25],
  }),
})
export type SetPaygCap = Static<typeof SetPaygCap>

export const SetPayg = Type.Object({
  enabled: Type.Boolean({ description: 'Whether to pay as you go while no subscription is live.' }),
})
export type SetPayg = Static<typeof SetPayg>

export const BillingMe = Type.Object({
  tier: Tier,
  subscription: Nullable(
    Type.Object({
      tier: Tier,
      status: Type.String({ examples: ['active', 'trialing', 'past_due', 'canceled'] }),
      current_period_end: Nullable(Timestamp()),
      cancel_at_period_end: Type.Boolean(),
    }),
    { description: 'The one that counts, or the last there was; null: never one.' },
  ),
  payg: Type.Object({
    enabled: Type.Boolean({ description: 'Whether it is chosen; a subscription goes before it.' }),
    ...balance,
    ...cap,
    prices_usd: eachMetric(Type.Number({ description: 'What one costs.' })),
  }),
})
export type BillingMe = Static<typeof BillingMe>

export const Checkout = Type.Object({
  tier: Type.Optional(
    OneOf(['awakened', 'conscious', 'payg'], {
      description: 'What to subscribe to; `payg`, with `credits_usd`, to pay as you go.',
    }),
  ),
  credits_usd: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 10_000,
      description: 'How many US dollars of credits to buy, with at most two decimals.',
      examples: [10],
    }),
  ),
})
export type Checkout = Static<typeof Checkout>

export const PaymentPage = Type.Object({
  url: Type.String({ description: 'A page of the payment provider, to open in a browser.' }),
})
export type PaymentPage = Static<typeof PaymentPage>

export const Received = Type.Object({ received: Type.Boolean() })
