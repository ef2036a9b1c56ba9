import type Stripe from 'stripe'
import { checkout, portal } from '../../../../shared/contract/index.ts'
import type { Checkout, PaymentPage, PaymentQuery } from '../../../../shared/contract/payments.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { BillingAccounts } from '../../../usage/accounts/service.ts'
import { centsToCredits, usdToCents } from '../../../usage/money.ts'
import type { TierCatalog, TierConfig } from '../../../usage/tiers.ts'
import { billingError } from '../errors.ts'
import type { SubscriptionService } from '../subscriptions/service.ts'
import type { PaymentPages } from './payment-pages.ts'

export type CheckoutService = ReturnType<typeof createCheckoutService>

export const createCheckoutService = ({
  db,
  pages,
  accounts,
  subscriptions,
  tiers,
}: {
  db: Db
  pages: PaymentPages
  accounts: Pick<BillingAccounts, 'find'>
  subscriptions: Pick<SubscriptionService, 'list'>
  tiers: TierCatalog
}) => {
  /** @throws ApiError 409 if the subscription would give the user no more than they have. */
  const checkMaySubscribe = async ({ userId }: Caller, tier: TierConfig): Promise<void> => {
    const account = await accounts.find(db, userId)
    if (account?.grantedTier) throw billingError('tier_granted_by_admin', account.grantedTier)
    const [best] = await subscriptions.list(db, userId)
    if (best?.isLive && tiers.reaches(best.tier, tier.name))
      throw billingError('already_subscribed', best.tier)
    if (tier.priceCents === 0 && !tier.stripePriceId) throw billingError('tier_not_sold', tier.name)
  }

  const subscribe = async (
    caller: Caller,
    tier: TierConfig,
    query: PaymentQuery,
  ): Promise<PaymentPage> => {
    await checkMaySubscribe(caller, tier)
    return pages.openCheckout(caller, query, subscriptionParams(caller, tier))
  }

  return {
    /**
     * Opens a page to subscribe or to buy credits.
     * @throws ApiError 422 for neither or both, 409 if a subscription would add nothing, 502 or 503
     * from `StripeClient.call`.
     */
    async checkout(
      caller: Caller,
      { tier, credits_usd }: Checkout,
      query: PaymentQuery,
    ): Promise<PaymentPage> {
      const cents = credits_usd === undefined ? undefined : wholeCents(credits_usd)
      if (tier === undefined && cents === undefined)
        throw billingError('checkout_field_missing', 'tier')
      if (tier === undefined || tier === 'payg') {
        if (cents === undefined) throw billingError('checkout_field_missing', 'credits_usd')
        return pages.openCheckout(caller, query, creditParams(caller, cents, tier === 'payg'))
      }
      if (cents !== undefined) throw billingError('subscription_with_credits')
      return subscribe(caller, tiers.of(tier), query)
    },

    /**
     * Opens a page to change or end the subscription.
     * @throws ApiError 409 for a user who has not paid yet, 502 or 503 from `StripeClient.call`.
     */
    async portal(caller: Caller, query: PaymentQuery): Promise<PaymentPage> {
      const page = await pages.openPortal(caller, query)
      if (!page) throw billingError('nothing_paid_yet')
      return page
    },
  }
}

const subscriptionParams = (
  { userId }: Caller,
  tier: TierConfig,
): Stripe.Checkout.SessionCreateParams => {
  const metadata = { user_id: userId, tier: tier.name }
  return {
    mode: 'subscription',
    line_items: [{ quantity: 1, ...priceOf(tier) }],
    metadata,
    subscription_data: { metadata },
  }
}

const creditParams = (
  { userId }: Caller,
  cents: number,
  paysAsTheyGo: boolean,
): Stripe.Checkout.SessionCreateParams => {
  const metadata = { user_id: userId, ...(paysAsTheyGo && { tier: 'payg' }) }
  const name = `${centsToCredits(cents).toLocaleString('en-US')} credits`
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: cents, product_data: { name } },
      },
    ],
    metadata,
    payment_intent_data: { metadata },
  }
}

const priceOf = (
  tier: TierConfig,
): Pick<Stripe.Checkout.SessionCreateParams.LineItem, 'price_data' | 'price'> =>
  tier.stripePriceId
    ? { price: tier.stripePriceId }
    : {
        price_data: {
          currency: 'usd',
          unit_amount: tier.priceCents,
          recurring: { interval: 'month' },
          product_data: { name: `svc ${tier.name}` },
        },
      }

const wholeCents = (usd: number): number => {
  const cents = usdToCents(usd)
  if (cents === undefined) throw billingError('credit_amount_too_precise')
  return cents
}

export const checkoutRoutes = (mount: Mount, checkouts: CheckoutService): void => {
  mount(checkout, ({ caller, query, body }) => checkouts.checkout(caller, body, query))
  mount(portal, ({ caller, query }) => checkouts.portal(caller, query))
}
