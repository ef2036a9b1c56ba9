import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { FEATURES, forEachMetric, TIER_NAMES } from '../tiers.ts'
import { Nullable, OneOf, Timestamp, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

export const Tier = OneOf(TIER_NAMES)

const count = Type.Integer({ minimum: 0 })
const limit = Nullable(count, { description: 'Null means no limit.' })

export const eachMetric = <T extends TSchema>(schema: T) => Type.Object(forEachMetric(() => schema))

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

const tag = 'Billing'

export const getTiers = endpoint({
  name: 'getTiers',
  method: 'GET',
  path: '/api/billing/tiers',
  tag,
  summary: 'List the tiers with their prices, quotas and features',
  credential: 'none',
  success: [200, Tiers],
})

export const getUsage = endpoint({
  name: 'getUsage',
  method: 'GET',
  path: '/api/billing/usage',
  tag,
  summary: 'Get this month’s usage and quotas',
  credential: 'bearer',
  success: [200, Usage],
})

export const usageHistory = endpoint({
  name: 'usageHistory',
  method: 'GET',
  path: '/api/billing/usage/history',
  tag,
  summary: 'List the usage of the last months',
  credential: 'bearer',
  query: Type.Object({
    months: withDefault(
      Type.Integer({ minimum: 1, maximum: 60, description: 'Number of months with this one.' }),
      12,
    ),
  }),
  success: [200, UsageHistory],
})
