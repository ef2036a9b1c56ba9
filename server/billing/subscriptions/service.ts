import type { TierName } from '../../../shared/schemas/billing.ts'
import type { Db } from '../../platform/db/database.ts'
import { RANK, SUBSCRIBED } from '../tiers.ts'
import { type Evidence, isLive, learn, type SubscriptionState, statusOf } from './state.ts'
import { findOwner, listSubscriptions, lockSubscription, writeSubscription } from './store.ts'
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

/** What is known of people's subscriptions, by what the payment provider told. */
export const createSubscriptionService = () => ({
  /** Whose a subscription is, where that is known. */
  ownerOf: findOwner,

  /** Takes up what an event tells. @returns whose subscription it is, where that is known by now. */
  async learn(tx: Db, subscriptionId: string, evidence: Evidence): Promise<string | null> {
    const { subscriptionId: _, ...before } = await lockSubscription(tx, subscriptionId)
    const state: SubscriptionState = learn(before, evidence)
    await writeSubscription(tx, subscriptionId, state)
    return state.userId
  },

  /** The subscriptions of a person that have not ended, whatever they open. */
  async listUnended(db: Db, userId: string): Promise<string[]> {
    const rows = await listSubscriptions(db, userId)
    return rows.flatMap(({ subscriptionId, ...state }) =>
      statusOf(state) === 'canceled' ? [] : subscriptionId,
    )
  },

  /** A person's subscriptions, with the one that counts first: a live one of the highest tier. */
  async list(db: Db, userId: string): Promise<Subscription[]> {
    const all = (await listSubscriptions(db, userId)).flatMap(present)
    return all.sort((a, b) => weightOf(b) - weightOf(a) || b.id.localeCompare(a.id))
  },
})

const present = ({ subscriptionId, ...state }: SubscriptionRow): Subscription[] => {
  const tier = SUBSCRIBED.find((name) => name === state.tier)
  if (!tier) return []
  const { periodEnd, cancelsAtPeriodEnd } = state
  const status = statusOf(state)
  return [
    { id: subscriptionId, tier, status, isLive: isLive(state), periodEnd, cancelsAtPeriodEnd },
  ]
}

const weightOf = ({ isLive, tier }: Subscription): number => (isLive ? 10 : 0) + RANK[tier]
