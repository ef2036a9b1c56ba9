import { rankOf, SUBSCRIPTION_TIERS, type TierName } from '../../../shared/tiers.ts'
import type { Db } from '../../platform/db/database.ts'
import { applySubscriptionEvent, isLive, type SubscriptionEvent, statusOf } from './state.ts'
import {
  findSubscriberId,
  listSubscriptions,
  lockSubscription,
  updateSubscription,
} from './store.ts'
import type { SubscriptionRow } from './table.ts'

export interface Subscription {
  id: string
  tier: TierName
  status: string
  isLive: boolean
  periodEnd: number | null
  cancelsAtPeriodEnd: boolean
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>

/** The state of subscriptions, from the payment provider's events. */
export const createSubscriptionService = () => ({
  findSubscriberId,

  /** Applies an event. @returns the subscriber; null while no event has named one. */
  async apply(tx: Db, subscriptionId: string, event: SubscriptionEvent): Promise<string | null> {
    const { subscriptionId: _, ...before } = await lockSubscription(tx, subscriptionId)
    const state = applySubscriptionEvent(before, event)
    await updateSubscription(tx, subscriptionId, state)
    return state.userId
  },

  /** Ids of the user's subscriptions that have not ended, including those of unknown tiers. */
  async listUnended(db: Db, userId: string): Promise<string[]> {
    const rows = await listSubscriptions(db, userId)
    return rows.flatMap(({ subscriptionId, ...state }) =>
      statusOf(state) === 'canceled' ? [] : subscriptionId,
    )
  },

  /** The user's subscriptions; the first one counts: live ones first, then by tier. */
  async list(db: Db, userId: string): Promise<Subscription[]> {
    const all = (await listSubscriptions(db, userId)).flatMap(present)
    return all.sort((a, b) => weightOf(b) - weightOf(a) || b.id.localeCompare(a.id))
  },
})

const present = ({ subscriptionId, ...state }: SubscriptionRow): Subscription[] => {
  const tier = SUBSCRIPTION_TIERS.find((name) => name === state.tier)
  if (!tier) return []
  const { periodEnd, cancelsAtPeriodEnd } = state
  const status = statusOf(state)
  return [
    { id: subscriptionId, tier, status, isLive: isLive(state), periodEnd, cancelsAtPeriodEnd },
  ]
}

const weightOf = ({ isLive, tier }: Subscription): number => (isLive ? 1_000 : 0) + rankOf(tier)
