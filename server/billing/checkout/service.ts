import type Stripe from 'stripe'
import type { Checkout, PaymentPage } from '../../../shared/schemas/billing.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { AccountService } from '../accounts/service.ts'
import { creditsOfCents, inCents } from '../money.ts'
import { isMissing, type StripeClient } from '../stripe/client.ts'
import type { SubscriptionService } from '../subscriptions/service.ts'
import type { Tier, Tiers } from '../tiers.ts'
import type { CheckoutRecords } from './records.ts'

export type CheckoutService = ReturnType<typeof createCheckoutService>

/** Sends people to pages of the payment provider; what they do there is told by its webhooks. */
export const createCheckoutService = ({
  database: { db },
  stripe,
  accounts,
  subscriptions,
  records,
  tiers,
  pricingUrl,
}: {
  database: Database
  stripe: StripeClient
  accounts: Pick<AccountService, 'find' | 'forgetCustomer'>
  subscriptions: Pick<SubscriptionService, 'list'>
  records: Pick<CheckoutRecords, 'note'>
  tiers: Tiers
  pricingUrl: string
}) => {
  /** @throws ApiError 409 for somebody who would pay for nothing more than they have. */
  const checkMaySubscribe = async ({ userId }: Caller, tier: Tier): Promise<void> => {
    const account = await accounts.find(db, userId)
    if (account?.givenTier)
      throw new ApiError(409, `An admin has given you the tier ${account.givenTier}`)
    const [best] = await subscriptions.list(db, userId)
    if (best?.isLive && tiers.reaches(best.tier, tier.name))
      throw new ApiError(
        409,
        `You are subscribed to ${best.tier} already; end it with POST /api/billing/portal`,
      )
    if (tier.priceCents === 0 && !tier.stripePriceId)
      throw new ApiError(409, `The tier ${tier.name} is not sold here`)
  }

  /**
   * Asks for somebody as the provider knows them. @returns undefined where it does not, or no longer:
   * customers can be deleted there, and those of test mode are none when payments become real.
   */
  const asCustomer = async <T>(
    { userId }: Caller,
    question: (api: Stripe, customer: string) => Promise<T>,
  ): Promise<T | undefined> => {
    const customer = (await accounts.find(db, userId))?.customerId
    const answered = await stripe.ask(async (api) =>
      customer
        ? question(api, customer).catch((error) => {
            if (isMissing(error, 'customer')) return undefined
            throw error
          })
        : undefined,
    )
    if (customer && !answered) await accounts.forgetCustomer(db, userId, customer)
    return answered
  }

  const open = async (
    caller: Caller,
    params: Stripe.Checkout.SessionCreateParams,
  ): Promise<PaymentPage> => {
    const { userId, me } = caller
    const page = {
      ...params,
      client_reference_id: userId,
      success_url: `${pricingUrl}?paid=1`,
      cancel_url: pricingUrl,
    }
    const byAddress = {
      customer_email: me.email,
      ...(params.mode === 'payment' && { customer_creation: 'always' as const }),
    }
    const opened = await asCustomer(caller, ({ checkout }, customer) =>
      checkout.sessions.create({ ...page, customer }),
    )
    const { id, url } =
      opened ??
      (await stripe.ask(({ checkout }) => checkout.sessions.create({ ...page, ...byAddress })))
    if (!url) throw new ApiError(502, 'The payment provider did not answer as it should')
    // Before anybody can pay on it: what is paid for somebody who is gone by then is known as ours.
    await records.note(db, id, userId)
    return { url }
  }

  const subscribe = async (caller: Caller, tier: Tier): Promise<PaymentPage> => {
    await checkMaySubscribe(caller, tier)
    const metadata = { user_id: caller.userId, tier: tier.name }
    return open(caller, {
      mode: 'subscription',
      line_items: [{ quantity: 1, ...priceOf(tier) }],
      metadata,
      subscription_data: { metadata },
    })
  }

  const buyCredits = async (caller: Caller, cents: number, paysAsTheyGo: boolean) => {
    const metadata = { user_id: caller.userId, ...(paysAsTheyGo && { tier: 'payg' }) }
    return open(caller, {
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: cents,
            product_data: { name: `${creditsOfCents(cents).toLocaleString('en-US')} credits` },
          },
        },
      ],
      metadata,
      payment_intent_data: { metadata },
    })
  }

  return {
    /**
     * A page to subscribe or to buy credits on.
     * @throws ApiError 422 for neither or both, 409 where it would be of no use, 502 and 503 as `ask`.
     */
    async checkout(caller: Caller, { tier, credits_usd }: Checkout): Promise<PaymentPage> {
      const cents = credits_usd === undefined ? undefined : centsOf(credits_usd)
      if (tier === undefined && cents === undefined) throw missing('tier')
      if (tier === undefined || tier === 'payg') {
        if (cents === undefined) throw missing('credits_usd')
        return buyCredits(caller, cents, tier === 'payg')
      }
      if (cents !== undefined)
        throw unfit('credits_usd', 'A subscription and credits are bought one after the other')
      return subscribe(caller, tiers.of(tier))
    },

    /**
     * A page to change or end the subscription on.
     * @throws ApiError 409 for somebody who has paid for nothing yet, 502 and 503 as `ask`.
     */
    async portal(caller: Caller): Promise<PaymentPage> {
      const opened = await asCustomer(caller, ({ billingPortal }, customer) =>
        billingPortal.sessions.create({ customer, return_url: pricingUrl }),
      )
      if (!opened)
        throw new ApiError(409, 'There is nothing to change: you have not paid for anything yet')
      return { url: opened.url }
    },
  }
}

const priceOf = (
  tier: Tier,
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

/** @throws ApiError 422 for parts of a cent. */
const centsOf = (usd: number): number => {
  const cents = inCents(usd)
  if (cents === undefined) throw unfit('credits_usd', 'Input should have at most two decimals')
  return cents
}

const missing = (field: string) =>
  new ApiError(422, [{ loc: ['body', field], type: 'missing', msg: 'Field required' }])

const unfit = (field: string, msg: string) =>
  new ApiError(422, [{ loc: ['body', field], type: 'value_error', msg }])
