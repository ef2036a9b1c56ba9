import type { Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { isStripeError, type StripeClient } from '../stripe/client.ts'
import { hasCheckout, insertCheckout, listCheckouts } from './store.ts'

/** Stripe expires a checkout session after 24 hours; one more allows for clock skew. */
const OPEN_HOURS = 25
const RETRIES = 200

export type CheckoutRecords = ReturnType<typeof startCheckoutRecords>

/** Records the checkout sessions opened by this server, and expires those of deleted accounts. */
export const startCheckoutRecords = (stripe: StripeClient, jobs: Jobs) => {
  const kind: JobKind<{ checkoutId: string }> = {
    name: 'billing.expire-checkout',
    retries: RETRIES,
    keyOf: ({ checkoutId }) => checkoutId,
    run: ({ checkoutId }) =>
      stripe.call((api) =>
        api.checkout.sessions.expire(checkoutId).then(
          () => undefined,
          (error: unknown) => {
            // A session that was paid or has expired cannot be expired; webhooks report its payment.
            if (!isStripeError(error, 'StripeInvalidRequestError')) throw error
          },
        ),
      ),
  }
  jobs.work(kind)

  return {
    /** The database rejects it for a user who does not exist. */
    insert: insertCheckout,

    /** Whether this server opened the session. The record is kept until `deleteOldCheckouts`. */
    has: hasCheckout,

    /** Expires the open sessions of a user whose account is deleted. */
    async erase(tx: Db, userId: string): Promise<void> {
      if (!stripe.isConfigured) return
      for (const checkoutId of await listCheckouts(tx, userId, OPEN_HOURS))
        await jobs.send(kind, { checkoutId }, { tx })
    },
  }
}
