import {
  type Feature,
  type Metric,
  TIER_NAMES,
  type TierName,
} from '../../shared/schemas/billing.ts'
import type { Overrides } from './tiers-file.ts'

/** What a tier opens, a month. Null stands for no limit. */
export interface Tier {
  name: TierName
  priceCents: number
  quotas: Record<Metric, number | null>
  /** Members of an organization. */
  seats: number | null
  features: readonly Feature[]
  /** The price to subscribe by, where the payment provider keeps it. */
  stripePriceId: string | undefined
}

export interface Tiers {
  all: readonly Tier[]
  of(name: TierName): Tier
  /** What paying as one goes costs for each, in micro-dollars. */
  priceMicros: Readonly<Record<Metric, number>>
  seatsOf(name: TierName): number | null
  /** Whether a tier opens what another one does: payg does as the highest. */
  reaches(name: TierName, required: TierName): boolean
  /** The lowest tier that opens a feature; the highest where none does. */
  lowestWith(feature: Feature): TierName
  /** What to recommend to somebody who has used up a quota: the next tier with more of it, else payg. */
  withMore(name: TierName, metric: Metric): TierName
  /** The tier that a price of the payment provider subscribes to. */
  ofPrice(priceId: string): TierName | undefined
}

/** Tiers that are subscribed to, from the lowest. */
export const SUBSCRIBED = ['awakened', 'conscious'] as const

export const RANK: Readonly<Record<TierName, number>> = {
  amnesiac: 0,
  awakened: 1,
  conscious: 2,
  payg: 2,
}

const NO_QUOTAS = { messages: null, urls: null, emails: null, transcriptions: null }

const BUILT_IN: Record<TierName, Omit<Tier, 'name' | 'stripePriceId'>> = {
  amnesiac: {
    priceCents: 0,
    quotas: { messages: 1_000, urls: 100, emails: 20, transcriptions: 20 },
    seats: 3,
    features: [],
  },
  awakened: {
    priceCents: 12_00,
    quotas: { messages: 10_000, urls: 2_000, emails: 500, transcriptions: 500 },
    seats: 10,
    features: ['deep', 'webhooks'],
  },
  conscious: {
    priceCents: 49_00,
    quotas: { messages: 100_000, urls: 20_000, emails: 5_000, transcriptions: 5_000 },
    seats: 100,
    features: ['deep', 'sage', 'webhooks'],
  },
  payg: { priceCents: 0, quotas: NO_QUOTAS, seats: 10, features: ['deep', 'sage', 'webhooks'] },
}

const BUILT_IN_PRICES: Record<Metric, number> = {
  messages: 2_000,
  urls: 1_000,
  emails: 1_000,
  transcriptions: 6_000,
}

/** The tiers as they are built in, with what an operator's file says otherwise. */
export const createTiers = (overrides: Overrides = {}): Tiers => {
  const all = TIER_NAMES.map((name): Tier => {
    const own: NonNullable<Overrides['awakened']> = overrides[name] ?? {}
    const { price_usd, quotas, seats, features, stripe_price_id } = own
    const built = BUILT_IN[name]
    return {
      name,
      // At most two decimals: rounding takes away what floating point adds, and nothing else.
      priceCents: price_usd === undefined ? built.priceCents : Math.round(price_usd * 100),
      quotas: { ...built.quotas, ...quotas },
      seats: seats === undefined ? built.seats : seats,
      features: features ?? built.features,
      stripePriceId: stripe_price_id,
    }
  })
  const of = (name: TierName): Tier => all[TIER_NAMES.indexOf(name)] as Tier
  return {
    all,
    of,
    priceMicros: { ...BUILT_IN_PRICES, ...overrides.payg?.prices_micro_usd },
    seatsOf: (name) => of(name).seats,
    reaches: (name, required) => RANK[name] >= RANK[required],
    lowestWith: (feature) =>
      all.find(({ features }) => features.includes(feature))?.name ?? 'conscious',
    withMore: (name, metric) =>
      SUBSCRIBED.find(
        (higher) =>
          RANK[higher] > RANK[name] && exceeds(of(higher).quotas[metric], of(name).quotas[metric]),
      ) ?? 'payg',
    ofPrice: (priceId) => all.find(({ stripePriceId }) => stripePriceId === priceId)?.name,
  }
}

const exceeds = (quota: number | null, other: number | null): boolean =>
  other !== null && (quota === null || quota > other)

/** The limits of a metric by tier, in the form that a statement takes. */
export const limitsOf = (tiers: Tiers, metric: Metric): Record<string, number | null> =>
  Object.fromEntries(tiers.all.map(({ name, quotas }) => [name, quotas[metric]]))
