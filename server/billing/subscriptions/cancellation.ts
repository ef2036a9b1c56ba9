import type { Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { isMissing, type StripeClient } from '../stripe/client.ts'
import type { SubscriptionService } from './service.ts'

type Job = { subscriptionId: string; prorate: boolean }

/** Ten days at a backoff of at most 15 minutes: Stripe charges each month until it is cancelled. */
const RETRIES = 1_000

export type Cancellation = ReturnType<typeof startCancellation>

/** Cancels subscriptions at the payment provider. */
export const startCancellation = (
  stripe: StripeClient,
  jobs: Jobs,
  subscriptions: Pick<SubscriptionService, 'list' | 'listUnended'>,
) => {
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
  jobs.work(kind)

  const cancel = async (tx: Db, subscriptionId: string, prorate = false): Promise<void> => {
    if (stripe.isConfigured) await jobs.send(kind, { subscriptionId, prorate }, { tx })
  }

  return {
    /** Cancels a subscription at once; `prorate` credits the rest of the period. */
    cancel,

    /** After an upgrade, cancels the lower subscriptions of a user and credits the rest of the period. */
    async cancelLower(tx: Db, userId: string): Promise<void> {
      const all = await subscriptions.list(tx, userId)
      const [best, ...lower] = all.filter(({ isLive }) => isLive)
      // A trial or a late payment may still fail.
      if (best?.status !== 'active') return
      for (const { id } of lower) await cancel(tx, id, true)
    },

    /** Cancels the subscriptions of a user whose account is deleted. */
    async erase(tx: Db, userId: string): Promise<void> {
      for (const id of await subscriptions.listUnended(tx, userId)) await cancel(tx, id)
    },
  }
}
