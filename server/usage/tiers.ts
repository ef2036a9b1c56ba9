import {
  METRIC_ROWS,
  type Metric,
  rankOf,
  SUBSCRIPTION_TIERS,
  type SubscriptionTier,
  TIERS,
  type TierFeature,
  type TierName,
} from '../../shared/tiers.ts'
import type { Overrides } from './tiers-file.ts'

export type TierConfig = (typeof TIERS)[number] & {
  /** The payment provider's id of the price to subscribe at. */
  stripePriceId: string | undefined
}

export type TierCatalog = ReturnType<typeof createTierCatalog>

/** @returns the built-in tiers with the operator's overrides. */
export const createTierCatalog = (overrides: Overrides = {}) => {
  const all = TIERS.map((row) => overridden(row, overrides))
  const byName = new Map(all.map((tier) => [tier.name, tier]))
  const of = (name: TierName): TierConfig => byName.get(name) as TierConfig
  /** The subscription to recommend to a user on payg. */
  const highestSubscription = SUBSCRIPTION_TIERS.at(-1) as SubscriptionTier
  const builtInPrices = Object.fromEntries(
    METRIC_ROWS.map(({ name, paygMicros }) => [name, paygMicros]),
  ) as Record<Metric, number>
  return {
    all,
    of,

    /** The price of one use on payg, in micro-dollars. */
    priceMicros: { ...builtInPrices, ...overrides.payg?.prices_micro_usd },

    /** Members of an organization; null: no limit. */
    seatsOf: (name: TierName): number | null => of(name).seats,

    /** Whether a tier ranks as high as another. */
    reaches: (name: TierName, required: TierName): boolean => rankOf(name) >= rankOf(required),

    /** The lowest tier with a feature; the highest subscription if none has it. */
    lowestWith: (feature: TierFeature): TierName =>
      all.find(({ features }) => features.includes(feature))?.name ?? highestSubscription,

    /** The tier to recommend once a quota is used up: the next with a higher quota, or payg. */
    withMore: (name: TierName, metric: Metric): TierName =>
      SUBSCRIPTION_TIERS.find(
        (higher) =>
          rankOf(higher) > rankOf(name) &&
          exceeds(of(higher).quotas[metric], of(name).quotas[metric]),
      ) ?? 'payg',
    highestSubscription,

    /** The tier of a price of the payment provider. */
    ofPrice: (priceId: string): TierName | undefined =>
      all.find(({ stripePriceId }) => stripePriceId === priceId)?.name,
  }
}

const overridden = (row: (typeof TIERS)[number], overrides: Overrides): TierConfig => {
  const { price_usd, quotas, seats, features, stripe_price_id }: Override =
    overrides[row.name] ?? {}
  return {
    ...row,
    // The file allows two decimals: rounding removes only the error of floating point.
    priceCents: price_usd === undefined ? row.priceCents : Math.round(price_usd * 100),
    quotas: { ...row.quotas, ...quotas },
    seats: seats === undefined ? row.seats : seats,
    features: features ?? row.features,
    stripePriceId: stripe_price_id,
  }
}

type Override = NonNullable<Overrides[SubscriptionTier]>

const exceeds = (quota: number | null, other: number | null): boolean =>
  other !== null && (quota === null || quota > other)

/** The quotas of a metric by tier, for a parameter of a statement. */
export const quotasByTier = (tiers: TierCatalog, metric: Metric): Record<string, number | null> =>
  Object.fromEntries(tiers.all.map(({ name, quotas }) => [name, quotas[metric]]))
