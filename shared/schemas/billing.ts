import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { FEATURES, forEachMetric, SUBSCRIPTION_TIERS, TIER_NAMES } from '../tiers.ts'
import { Nullable, OneOf, Timestamp, withDefault } from './common.ts'

export const Tier = OneOf(TIER_NAMES)

const count = Type.Integer({ minimum: 0 })
const limit = Nullable(count, { description: 'Null means no limit.' })

const eachMetric = <T extends TSchema>(schema: T) => Type.Object(forEachMetric(() => schema))

export const TierTerms = Type.Object({
  name: Tier,
  price_usd: Type.Number({
    description: 'US dollars per month; 0 for tiers without a subscription.',
  }),
  quotas: eachMetric(limit),
  seats: Nullable(count, {
    description: 'Maximum number of members of an organization; null means no limit.',
  }),
  features: Type.Array(OneOf(FEATURES)),
})
export type TierTerms = Static<typeof TierTerms>

export const Tiers = Type.Object({
  tiers: Type.Array(TierTerms),
  takes_payments: Type.Boolean({
    description: 'Whether Stripe is configured; otherwise an admin sets the tiers of users.',
  }),
})
export type Tiers = Static<typeof Tiers>

const quota = Type.Object({ used: count, limit, remaining: limit })

export const Usage = Type.Object({
  tier: Tier,
  period_start: Timestamp({ description: 'Start of the calendar month, in UTC.' }),
  period_end: Timestamp({ description: 'When the counters reset.' }),
  usage: eachMetric(quota),
})
export type Usage = Static<typeof Usage>

export const UsageHistory = Type.Object({
  months: Type.Array(
    Type.Object({
      period_start: Timestamp({ description: 'Start of the calendar month, in UTC.' }),
      usage: eachMetric(count),
      spent_usd: Type.Number({ description: 'Paid with credits.' }),
    }),
    { description: 'Oldest first. The last one is this month.' },
  ),
})
export type UsageHistory = Static<typeof UsageHistory>

const balance = {
  balance_credits: Type.Number({
    description: '1,000 credits are one US dollar. Negative after a reversed payment.',
  }),
  balance_usd: Type.Number(),
  low_balance: Type.Boolean({ description: 'Whether the balance is below one US dollar.' }),
  depleted: Type.Boolean({ description: 'Whether the balance is used up.' }),
}

export const Balance = Type.Object(balance)
export type Balance = Static<typeof Balance>

const cap = {
  cap_usd: Nullable(Type.Number(), {
    description: 'The spending cap of pay as you go per calendar month; null means no cap.',
  }),
  spent_usd: Type.Number({ description: 'Spent in this calendar month.' }),
}

export const PaygCap = Type.Object(cap)
export type PaygCap = Static<typeof PaygCap>

export const SetPaygCap = Type.Object({
  cap_usd: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000 }), {
    description: 'US dollars with at most six decimals; null removes the cap.',
    examples: [25],
  }),
})
export type SetPaygCap = Static<typeof SetPaygCap>

export const SetPayg = Type.Object({
  enabled: Type.Boolean({
    description: 'Whether pay as you go applies while no subscription is active.',
    examples: [false],
  }),
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
    { description: 'The active subscription, or the last one; null if there was none.' },
  ),
  payg: Type.Object({
    enabled: Type.Boolean({
      description: 'Whether pay as you go is turned on; an active subscription takes precedence.',
    }),
    ...balance,
    ...cap,
    prices_usd: eachMetric(Type.Number({ description: 'Price of one unit in US dollars.' })),
  }),
})
export type BillingMe = Static<typeof BillingMe>

export const Checkout = Type.Object(
  {
    tier: Type.Optional(
      OneOf([...SUBSCRIPTION_TIERS, 'payg'], {
        description:
          'The tier to subscribe to, or `payg` together with `credits_usd` to pay as you go.',
      }),
    ),
    credits_usd: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 10_000,
        description: 'The amount of credits to buy, in US dollars with at most two decimals.',
        examples: [10],
      }),
    ),
  },
  { examples: [{ tier: SUBSCRIPTION_TIERS[0] }] },
)
export type Checkout = Static<typeof Checkout>

/** Where the payment page leads back to. */
export const PaymentQuery = Type.Object({
  return_to: withDefault(
    OneOf(['pricing', 'console'], {
      description: 'The page that the payment page leads back to: `/pricing` or `/app/usage`.',
    }),
    'pricing',
  ),
})
export type PaymentQuery = Static<typeof PaymentQuery>

export const PaymentPage = Type.Object(
  {
    url: Type.String({
      description: 'The URL of a page of the payment provider, to open in a browser.',
    }),
  },
  { $id: 'PaymentPage' },
)
export type PaymentPage = Static<typeof PaymentPage>

export const WebhookReceipt = Type.Object({ received: Type.Boolean() })
