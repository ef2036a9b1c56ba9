import { isGreater } from '../order.ts'
import { SUBSCRIBED } from '../tiers.ts'
import type { SubscriptionRow } from './table.ts'

/** What one event of the payment provider tells of a subscription. Times are the provider's, in seconds. */
export interface Evidence {
  userId: string | null
  tier: string | null
  at: number
  /** The subscription as it was then; else an invoice or a checkout that was paid, or was not. */
  told:
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

const TIERS: readonly string[] = SUBSCRIBED
const EVENTS = ['created', 'updated', 'deleted']
/** Of two changes within a second the one that leads on from the other: a payment is tried, then made. */
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
/** A payment that is late is tried again for some weeks; until the provider gives up, the tier stays. */
const LIVE = new Set(['active', 'trialing', 'past_due'])

/**
 * Adds to a state what an event tells. Events come in any order, and more than once: whichever they come
 * in, the same ones lead to the same state, because each field is the greatest that any of them told.
 */
export const learn = (state: SubscriptionState, evidence: Evidence): SubscriptionState => {
  const { told, at, tier } = evidence
  const userId = state.userId ?? evidence.userId
  if (told.kind !== 'subscription') {
    const field = told.kind === 'paid' ? 'paidAt' : 'failedAt'
    const known = { ...state, userId, tier: tierBeside(state, evidence) }
    return { ...known, [field]: Math.max(state[field], at) }
  }
  const next: SubscriptionState = {
    ...state,
    userId,
    tier: tier ?? state.tier,
    status: told.status,
    statusAt: at,
    statusRank: rankOf(told.event, told.status),
    periodEnd: told.periodEnd,
    cancelsAtPeriodEnd: told.cancelsAtPeriodEnd,
    hasEnded: told.event === 'deleted' || ENDED.has(told.status),
  }
  return isLater(next, state) ? next : { ...state, userId, tier: state.tier ?? tier }
}

/** What a payment says of the tier counts while the subscription itself has said nothing. */
const tierBeside = (state: SubscriptionState, { tier, at }: Evidence): string | null => {
  if (tier === null || (state.status !== null && state.tier !== null)) return state.tier
  const known = [Math.max(state.paidAt, state.failedAt), TIERS.indexOf(state.tier ?? '')]
  return isGreater([at, TIERS.indexOf(tier)], known) ? tier : state.tier
}

const rankOf = (event: string, status: string): number =>
  EVENTS.indexOf(event) * 100 + STATUSES.indexOf(status)

const isLater = (next: SubscriptionState, state: SubscriptionState): boolean =>
  isGreater(orderOf(next), orderOf(state))

/** The end comes after everything else, whatever the clocks say. */
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
 * How a subscription stands. A payment that was heard of later than the subscription's own state counts:
 * the event that would say so may be on its way.
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
