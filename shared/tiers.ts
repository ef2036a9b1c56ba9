import { recordOf } from './objects.ts'

/** Usage that is counted each calendar month; `paygMicros` is the price of one on payg, in micro-dollars. */
export const METRIC_ROWS = [
  { name: 'messages', label: 'Messages', paygMicros: 2_000 },
  { name: 'urls', label: 'Web pages', paygMicros: 1_000 },
  { name: 'emails', label: 'Emails', paygMicros: 1_000 },
  { name: 'transcriptions', label: 'Transcriptions', paygMicros: 6_000 },
] as const
export type Metric = (typeof METRIC_ROWS)[number]['name']

/** Features that only some tiers include. */
export const FEATURE_ROWS = [
  { name: 'deep', label: 'deep recall' },
  { name: 'sage', label: 'sage recall' },
  { name: 'webhooks', label: 'webhooks' },
] as const
export type TierFeature = (typeof FEATURE_ROWS)[number]['name']

interface TierRow {
  name: string
  /** How it is paid for; only a `subscription` tier is offered at checkout by its name. */
  payment: 'free' | 'subscription' | 'usage'
  /** A tier passes the gates of each tier of its rank or below. */
  rank: number
  /** A month, in cents. */
  priceCents: number
  /** Quotas a month; null: no limit. */
  quotas: Record<Metric, number | null>
  /** Members of an organization; null: no limit. */
  seats: number | null
  features: readonly TierFeature[]
}

/**
 * The tiers as they are built in, from the lowest to the highest; `SVC_TIERS` overrides them. Schemas,
 * gates, checkout, the pricing page and the configuration read these rows.
 */
const TIER_ROWS = [
  {
    name: 'amnesiac',
    payment: 'free',
    rank: 0,
    priceCents: 0,
    quotas: { messages: 1_000, urls: 100, emails: 20, transcriptions: 20 },
    seats: 3,
    features: [],
  },
  {
    name: 'awakened',
    payment: 'subscription',
    rank: 1,
    priceCents: 12_00,
    quotas: { messages: 10_000, urls: 2_000, emails: 500, transcriptions: 500 },
    seats: 10,
    features: ['deep', 'webhooks'],
  },
  {
    name: 'conscious',
    payment: 'subscription',
    rank: 2,
    priceCents: 49_00,
    quotas: { messages: 100_000, urls: 20_000, emails: 5_000, transcriptions: 5_000 },
    seats: 100,
    features: ['deep', 'sage', 'webhooks'],
  },
  {
    name: 'payg',
    payment: 'usage',
    rank: 2,
    priceCents: 0,
    quotas: { messages: null, urls: null, emails: null, transcriptions: null },
    seats: 10,
    features: ['deep', 'sage', 'webhooks'],
  },
] as const satisfies readonly TierRow[]

type AnyTier = (typeof TIER_ROWS)[number]
export type TierName = AnyTier['name']
export type SubscriptionTier = Extract<AnyTier, { payment: 'subscription' }>['name']

export const TIERS: readonly (TierRow & { name: TierName })[] = TIER_ROWS
/** The tier of new accounts, unless `SVC_DEFAULT_TIER` names another. */
export const DEFAULT_TIER = TIER_ROWS[0].name

const namesOf = <const Rows extends readonly { name: string }[]>(rows: Rows) =>
  rows.map(({ name }) => name) as { [I in keyof Rows]: Rows[I]['name'] }

export const METRICS = namesOf(METRIC_ROWS)
export const FEATURES = namesOf(FEATURE_ROWS)
export const TIER_NAMES = namesOf(TIER_ROWS)
/** From the lowest to the highest. */
export const SUBSCRIPTION_TIERS: readonly SubscriptionTier[] = TIER_ROWS.flatMap((row) =>
  row.payment === 'subscription' ? [row.name] : [],
)

export const rankOf = (tier: TierName): number => TIERS.find(({ name }) => name === tier)?.rank ?? 0

/** An object with a field for each metric. */
export const forEachMetric = <T>(create: (metric: Metric) => T): Record<Metric, T> =>
  recordOf(METRICS, create)
