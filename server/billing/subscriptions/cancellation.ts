import Stripe from 'stripe'
import type { Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { StripeClient } from '../stripe/client.ts'
import type { Subscription, SubscriptionService } from './service.ts'

type Job = { subscriptionId: string; prorate: boolean }

export type Cancellation = Awaited<ReturnType<typeof startCancellation>>

/** Ends subscriptions at the payment provider that nobody is to pay for any longer. */
export const startCancellation = async (
  stripe: StripeClient,
  jobs: Jobs,
  subscriptions: Pick<SubscriptionService, 'list'>,
) => {
  const kind: JobKind<Job> = {
    name: 'billing.cancel',
    retries: 50,
    keyOf: ({ subscriptionId }) => subscriptionId,
    run: ({ subscriptionId, prorate }) =>
      stripe.ask((api) =>
        api.subscriptions.cancel(subscriptionId, { prorate, invoice_now: prorate }).then(
          () => undefined,
          (error: unknown) => {
            if (!isGone(error)) throw error
          },
        ),
      ),
  }
  await jobs.work(kind)

  return {
    /**
     * Leaves a person one subscription: whoever moved to a higher tier pays no longer for the lower one,
     * and is credited what is left of it.
     */
    async endLesser(tx: Db, userId: string): Promise<void> {
      if (!stripe.isConfigured) return
      const [best, ...lesser] = (await subscriptions.list(tx, userId)).filter(isLive)
      // A trial or a late payment may come to nothing.
      if (best?.status !== 'active') return
      for (const { id } of lesser)
        await jobs.send(kind, { subscriptionId: id, prorate: true }, { tx })
    },

    /** Whoever deletes their account pays no longer. */
    async erase(tx: Db, userId: string): Promise<void> {
      if (!stripe.isConfigured) return
      for (const { id, status } of await subscriptions.list(tx, userId))
        if (status !== 'canceled')
          await jobs.send(kind, { subscriptionId: id, prorate: false }, { tx })
    },
  }
}

const isLive = ({ isLive }: Subscription): boolean => isLive

const isGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
