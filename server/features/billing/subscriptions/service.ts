import { rankOf, SUBSCRIPTION_TIERS, type TierName } from '../../../../shared/tiers.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import { isMissing, type StripeClient } from '../stripe/client.ts'
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

  list: listByRank,
})

/** The user's subscriptions; the first one counts: live ones first, then by tier. */
const listByRank = async (db: Db, userId: string): Promise<Subscription[]> => {
  const all = (await listSubscriptions(db, userId)).flatMap(present)
  return all.sort((a, b) => weightOf(b) - weightOf(a) || b.id.localeCompare(a.id))
}

/** Ids of the user's subscriptions that have not ended, including those of unknown tiers. */
const listUnended = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await listSubscriptions(db, userId)
  return rows.flatMap(({ subscriptionId, ...state }) =>
    statusOf(state) === 'canceled' ? [] : subscriptionId,
  )
}

/** The tier of the best live subscription of a user; undefined without one. */
export const findPaidTier = async (db: Db, userId: string): Promise<TierName | undefined> => {
  const [best] = await listByRank(db, userId)
  return best?.isLive ? best.tier : undefined
}

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

type Job = { subscriptionId: string; prorate: boolean }

/** Ten days at a backoff of at most 15 minutes: Stripe charges each month until it is cancelled. */
const RETRIES = 1_000

export type Cancellation = ReturnType<typeof createCancellation>

/** Cancels subscriptions at the payment provider. */
export const createCancellation = (stripe: StripeClient, jobs: Jobs) => {
  const kind: JobKind<Job> = {
    name: 'billing.cancel',
    retries: RETRIES,
    keyOf: ({ subscriptionId }) => subscriptionId,
    run: ({ subscriptionId, prorate }) =>
      stripe.call((api) =>
        api.subscriptions.cancel(subscriptionId, { prorate, invoice_now: prorate }).then(
          () => undefined,
          (error: unknown) => {
            if (!isMissing(error)) throw error
          },
        ),
      ),
  }
  /** Cancels a subscription at once; `prorate` credits the rest of the period. */
  const cancel = async (
    tx: Db,
    subscriptionId: string,
    prorate: boolean = false,
  ): Promise<void> => {
    if (stripe.isConfigured) await jobs.send(kind, { subscriptionId, prorate }, { tx })
  }

  return {
    kind,
    cancel,

    /** After an upgrade, cancels the lower subscriptions of a user and credits the rest of the period. */
    async cancelLower(tx: Db, userId: string): Promise<void> {
      const all = await listByRank(tx, userId)
      const [best, ...lower] = all.filter(({ isLive }) => isLive)
      // A trial or a late payment may still fail.
      if (best?.status !== 'active') return
      for (const { id } of lower) await cancel(tx, id, true)
    },

    /** Cancels the subscriptions of a user whose account is deleted. */
    async erase(tx: Db, userId: string): Promise<void> {
      for (const id of await listUnended(tx, userId)) await cancel(tx, id)
    },
  }
}
