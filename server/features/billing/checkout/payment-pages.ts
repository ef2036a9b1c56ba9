import type Stripe from 'stripe'
import type { PaymentPage, PaymentQuery } from '../../../../shared/contract/payments.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import type { BillingAccounts } from '../../../usage/accounts/service.ts'
import { billingError } from '../errors.ts'
import { isMissing, isStripeError, type StripeClient } from '../stripe/client.ts'
import { hasCheckout, insertCheckout, listCheckouts } from './store.ts'

export type PaymentPages = ReturnType<typeof createPaymentPages>

/** Opens pages of the payment provider. Its webhooks report what the user does there. */
export const createPaymentPages = ({
  db,
  stripe,
  accounts,
  records,
  baseUrl,
}: {
  db: Db
  stripe: StripeClient
  accounts: Pick<BillingAccounts, 'find' | 'clearCustomer'>
  records: Pick<CheckoutRecords, 'insert'>
  baseUrl: string
}) => {
  const returnUrl = ({ return_to }: PaymentQuery): string =>
    `${baseUrl}${return_to === 'console' ? '/app/usage' : '/pricing'}`

  const callAsCustomer = createCallAsCustomer({ db, stripe, accounts })

  return {
    async openCheckout(
      caller: Caller,
      query: PaymentQuery,
      params: Stripe.Checkout.SessionCreateParams,
    ): Promise<PaymentPage> {
      const { userId, me } = caller
      const page = {
        ...params,
        client_reference_id: userId,
        success_url: `${returnUrl(query)}?paid=1`,
        cancel_url: returnUrl(query),
      }
      const newCustomer = {
        customer_email: me.email,
        ...(params.mode === 'payment' && { customer_creation: 'always' as const }),
      }
      const { id, url } =
        (await callAsCustomer(caller, ({ checkout }, customer) =>
          checkout.sessions.create({ ...page, customer }),
        )) ??
        (await stripe.call(({ checkout }) => checkout.sessions.create({ ...page, ...newCustomer })))
      if (!url) throw billingError('payment_provider_failed', 'a checkout session without a URL')
      // Recorded before it can be paid, so that a payment for a deleted account is known as ours.
      await records.insert(db, id, userId)
      return { url }
    },

    /** @returns undefined for a user without a customer. */
    async openPortal(caller: Caller, query: PaymentQuery): Promise<PaymentPage | undefined> {
      const session = await callAsCustomer(caller, ({ billingPortal }, customer) =>
        billingPortal.sessions.create({ customer, return_url: returnUrl(query) }),
      )
      return session && { url: session.url }
    },
  }
}

interface CustomerCalls {
  db: Db
  stripe: StripeClient
  accounts: Pick<BillingAccounts, 'find' | 'clearCustomer'>
}

/**
 * Calls Stripe for the user's customer.
 * @returns undefined without a customer. Stripe may have deleted it, and customers of test mode do
 * not exist in live mode; then the user's customer is cleared.
 */
const createCallAsCustomer =
  ({ db, stripe, accounts }: CustomerCalls) =>
  async <T>(
    { userId }: Caller,
    operation: (api: Stripe, customer: string) => Promise<T>,
  ): Promise<T | undefined> => {
    const customer = (await accounts.find(db, userId))?.customerId
    const result = await stripe.call(async (api) =>
      customer
        ? operation(api, customer).catch((error) => {
            if (isMissing(error, 'customer')) return undefined
            throw error
          })
        : undefined,
    )
    if (customer && !result) await accounts.clearCustomer(db, userId, customer)
    return result
  }

/** Stripe expires a checkout session after 24 hours; one more allows for clock skew. */
const OPEN_HOURS = 25
const RETRIES = 200

export type CheckoutRecords = ReturnType<typeof createCheckoutRecords>

/** Records the checkout sessions opened by this server, and expires those of deleted accounts. */
export const createCheckoutRecords = (stripe: StripeClient, jobs: Jobs) => {
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

  return {
    kind,

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
