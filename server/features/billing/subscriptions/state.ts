import { SUBSCRIPTION_TIERS } from '../../../../shared/tiers.ts'
import { isGreater } from '../stripe/events.ts'
import type { SubscriptionRow } from './table.ts'

/** One event of the payment provider about a subscription. Times are the provider's, in seconds. */
export interface SubscriptionEvent {
  userId: string | null
  tier: string | null
  at: number
  /** The subscription itself, or an invoice or checkout that was paid or failed. */
  details:
    | {
        kind: 'subscription'
        event: 'created' | 'updated' | 'deleted'
        status: string
        periodEnd: number | null
        cancelsAtPeriodEnd: boolean
      }
    | { kind: 'paid' }
    | { kind: 'failed' }
}

export type SubscriptionState = Omit<SubscriptionRow, 'subscriptionId'>

const TIERS: readonly string[] = SUBSCRIPTION_TIERS
const EVENTS = ['created', 'updated', 'deleted']
/** Orders statuses that arrive in the same second: a payment is attempted before it succeeds. */
const STATUSES = [
  'incomplete',
  'trialing',
  'unpaid',
  'past_due',
  'active',
  'paused',
  'incomplete_expired',
  'canceled',
]
const ENDED = new Set(['canceled', 'incomplete_expired'])
/** Stripe retries a late payment for some weeks; until it gives up, the user keeps the tier. */
const LIVE = new Set(['active', 'trialing', 'past_due'])

/**
 * The same events lead to the same state, in any order and however often each is applied, because each
 * field keeps the greatest value of all events.
 */
export const applySubscriptionEvent = (
  state: SubscriptionState,
  event: SubscriptionEvent,
): SubscriptionState => {
  const { details, at, tier } = event
  const userId = state.userId ?? event.userId
  if (details.kind !== 'subscription') {
    const field = details.kind === 'paid' ? 'paidAt' : 'failedAt'
    const next = { ...state, userId, tier: tierFromPayment(state, event) }
    return { ...next, [field]: Math.max(state[field], at) }
  }
  const next: SubscriptionState = {
    ...state,
    userId,
    tier: tier ?? state.tier,
    status: details.status,
    statusAt: at,
    statusRank: rankOf(details.event, details.status),
    periodEnd: details.periodEnd,
    cancelsAtPeriodEnd: details.cancelsAtPeriodEnd,
    hasEnded: details.event === 'deleted' || ENDED.has(details.status),
  }
  return isLater(next, state) ? next : { ...state, userId, tier: state.tier ?? tier }
}

/** The tier of a payment counts until an event of the subscription itself names one. */
const tierFromPayment = (
  state: SubscriptionState,
  { tier, at }: SubscriptionEvent,
): string | null => {
  if (tier === null || (state.status !== null && state.tier !== null)) return state.tier
  const previous = [Math.max(state.paidAt, state.failedAt), TIERS.indexOf(state.tier ?? '')]
  return isGreater([at, TIERS.indexOf(tier)], previous) ? tier : state.tier
}

const rankOf = (event: string, status: string): number =>
  EVENTS.indexOf(event) * 100 + STATUSES.indexOf(status)

const isLater = (next: SubscriptionState, state: SubscriptionState): boolean =>
  isGreater(orderOf(next), orderOf(state))

/** The end sorts last, regardless of its time. */
const orderOf = (state: SubscriptionState) => [
  Number(state.hasEnded),
  Number(state.status !== null),
  state.statusAt,
  state.statusRank,
  state.periodEnd ?? 0,
  Number(state.cancelsAtPeriodEnd),
  TIERS.indexOf(state.tier ?? ''),
  state.status ?? '',
]

/**
 * The effective status. A payment later than the subscription's own status overrides it: the event with
 * the new status may still arrive.
 */
export const statusOf = (state: SubscriptionState): string => {
  const { status, statusAt, paidAt, failedAt, hasEnded } = state
  if (hasEnded) return 'canceled'
  if (status === null)
    return paidAt > 0 ? (failedAt > paidAt ? 'past_due' : 'active') : 'incomplete'
  if (status === 'incomplete' && paidAt >= statusAt) return 'active'
  if (status === 'past_due' && paidAt > statusAt) return 'active'
  if (status === 'active' && failedAt > Math.max(statusAt, paidAt)) return 'past_due'
  return status
}

export const isLive = (state: SubscriptionState): boolean => LIVE.has(statusOf(state))
