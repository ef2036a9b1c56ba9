import Stripe from 'stripe'
import type { Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { StripeClient } from '../stripe/client.ts'
import { deleteOldCheckouts, hasCheckout, insertCheckout, listCheckouts } from './store.ts'

/** The provider closes a page after a day; an hour more, because clocks differ. */
const OPEN_HOURS = 25
const RETRIES = 200

export type CheckoutRecords = Awaited<ReturnType<typeof startCheckoutRecords>>

/** The pages to pay on that were opened here, and their end where nobody is to pay on them any longer. */
export const startCheckoutRecords = async (stripe: StripeClient, jobs: Jobs) => {
  const kind: JobKind<{ checkoutId: string }> = {
    name: 'billing.expire-checkout',
    retries: RETRIES,
    keyOf: ({ checkoutId }) => checkoutId,
    run: ({ checkoutId }) =>
      stripe.ask((api) =>
        api.checkout.sessions.expire(checkoutId).then(
          () => undefined,
          (error: unknown) => {
            // One that was paid or has expired cannot be closed any more; webhooks tell what became of it.
            if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          },
        ),
      ),
  }
  await jobs.work(kind)

  return {
    /** Keeps that a page was opened. The database refuses it for a person who is not there. */
    note: insertCheckout,

    /** Whether a page was opened here, in the last weeks. */
    has: hasCheckout,

    forgetOlder: deleteOldCheckouts,

    /** Closes what somebody who deletes their account could still pay on. */
    async erase(tx: Db, userId: string): Promise<void> {
      if (!stripe.isConfigured) return
      for (const checkoutId of await listCheckouts(tx, userId, OPEN_HOURS))
        await jobs.send(kind, { checkoutId }, { tx })
    },
  }
}
