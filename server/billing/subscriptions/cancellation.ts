import type { Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { isMissing, type StripeClient } from '../stripe/client.ts'
import type { Subscription, SubscriptionService } from './service.ts'

type Job = { subscriptionId: string; prorate: boolean }

/** Ten days, waiting a quarter of an hour at most: what is not ended is paid for again each month. */
const RETRIES = 1_000

export type Cancellation = Awaited<ReturnType<typeof startCancellation>>

/** Ends subscriptions at the payment provider that nobody is to pay for any longer. */
export const startCancellation = async (
  stripe: StripeClient,
  jobs: Jobs,
  subscriptions: Pick<SubscriptionService, 'list' | 'listUnended'>,
) => {
  const kind: JobKind<Job> = {
    name: 'billing.cancel',
    retries: RETRIES,
    keyOf: ({ subscriptionId }) => subscriptionId,
    run: ({ subscriptionId, prorate }) =>
      stripe.ask((api) =>
        api.subscriptions.cancel(subscriptionId, { prorate, invoice_now: prorate }).then(
          () => undefined,
          (error: unknown) => {
            if (!isMissing(error)) throw error
          },
        ),
      ),
  }
  await jobs.work(kind)

  const end = async (tx: Db, subscriptionId: string, prorate = false): Promise<void> => {
    if (stripe.isConfigured) await jobs.send(kind, { subscriptionId, prorate }, { tx })
  }

  return {
    /** Ends a subscription at once; with `prorate` what is left of it is credited. */
    end,

    /**
     * Leaves a person one subscription: whoever moved to a higher tier pays no longer for the lower one,
     * and is credited what is left of it.
     */
    async endLesser(tx: Db, userId: string): Promise<void> {
      const [best, ...lesser] = (await subscriptions.list(tx, userId)).filter(isLive)
      // A trial or a late payment may come to nothing.
      if (best?.status !== 'active') return
      for (const { id } of lesser) await end(tx, id, true)
    },

    /** Whoever deletes their account pays no longer. */
    async erase(tx: Db, userId: string): Promise<void> {
      for (const id of await subscriptions.listUnended(tx, userId)) await end(tx, id)
    },
  }
}

const isLive = ({ isLive }: Subscription): boolean => isLive
