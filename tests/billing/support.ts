import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { request, type TestServer, type TestUser } from '../harness/server.ts'

export const WEBHOOK_SECRET = 'whsec_a_secret_that_signs_in_tests'
export const STRIPE = { SVC_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }

/** Writes a file for `SVC_TIERS`. @returns its path. */
export const tiersFile = (content: unknown): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-tiers-')), 'tiers.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

export interface StripeEvent {
  id: string
  object: 'event'
  type: string
  created: number
  data: { object: Record<string, unknown> }
}

const randomId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`

/** An event in the format of Stripe; `second` counts from a fixed time. */
export const stripeEvent = (
  type: string,
  object: Record<string, unknown>,
  second = 0,
): StripeEvent => ({
  id: randomId('evt'),
  object: 'event',
  type,
  created: 1_790_000_000 + second,
  data: { object },
})

interface Delivery {
  secret?: string
  /** Unix time in seconds. */
  signedAt?: number
  /** Replaces the correct signature; null omits the header. */
  signature?: string | null
  path?: string
}

/** Delivers an event, signed with Stripe's library. */
export const deliver = async (
  server: Pick<TestServer, 'url'>,
  event: unknown,
  { secret = WEBHOOK_SECRET, signedAt, signature, path = 'payments' }: Delivery = {},
) => {
  const payload = typeof event === 'string' ? event : JSON.stringify(event)
  const header =
    signature === undefined
      ? await Stripe.webhooks.generateTestHeaderStringAsync({
          payload,
          secret,
          ...(signedAt && { timestamp: signedAt }),
        })
      : signature
  return request(server, 'POST', `/api/billing/webhooks/${path}`, {
    body: payload,
    headers: header === null ? {} : { 'stripe-signature': header },
  })
}

/** A subscription of a user and its Stripe events. */
export const subscriptionOf = ({ id: userId }: Pick<TestUser, 'id'>, tier = 'awakened') => {
  const id = randomId('sub')
  const customer = randomId('cus')
  const metadata = { user_id: userId, tier }
  const object = (status: string, others: object = {}) => ({
    id,
    object: 'subscription',
    status,
    customer,
    cancel_at_period_end: false,
    items: { data: [{ current_period_end: 1_793_000_000, price: { id: 'price_inline' } }] },
    metadata,
    ...others,
  })
  const invoice = (second: number, type: string) =>
    stripeEvent(
      type,
      {
        id: randomId('in'),
        object: 'invoice',
        customer,
        parent: { subscription_details: { subscription: id, metadata } },
      },
      second,
    )
  return {
    id,
    customer,
    checkedOut: (second: number, checkout = randomId('cs')) =>
      stripeEvent(
        'checkout.session.completed',
        {
          id: checkout,
          object: 'checkout.session',
          mode: 'subscription',
          payment_status: 'paid',
          subscription: id,
          customer,
          client_reference_id: userId,
          metadata,
        },
        second,
      ),
    created: (second: number, status = 'incomplete') =>
      stripeEvent('customer.subscription.created', object(status), second),
    updated: (second: number, status: string, others?: object) =>
      stripeEvent('customer.subscription.updated', object(status, others), second),
    deleted: (second: number) =>
      stripeEvent('customer.subscription.deleted', object('canceled'), second),
    paid: (second: number) => invoice(second, 'invoice.paid'),
    failed: (second: number) => invoice(second, 'invoice.payment_failed'),
  }
}

/** The event of a paid checkout of credits. */
export const creditsBought = (
  { id: userId }: Pick<TestUser, 'id'>,
  usd: number,
  { payment = randomId('pi'), ...others }: { payment?: string; [key: string]: unknown } = {},
) =>
  stripeEvent('checkout.session.completed', {
    id: randomId('cs'),
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    amount_total: Math.round(usd * 100),
    currency: 'usd',
    payment_intent: payment,
    metadata: { user_id: userId },
    ...others,
  })

/** `usd` is the sum of all refunds of the payment. */
export const refunded = (payment: string, usd: number, second?: number) =>
  stripeEvent(
    'charge.refunded',
    {
      id: randomId('ch'),
      object: 'charge',
      payment_intent: payment,
      amount_refunded: Math.round(usd * 100),
    },
    second,
  )

export const refundFailed = (payment: string, usd: number, second?: number) =>
  stripeEvent(
    'refund.failed',
    {
      id: randomId('re'),
      object: 'refund',
      status: 'failed',
      charge: randomId('ch'),
      payment_intent: payment,
      amount: Math.round(usd * 100),
    },
    second,
  )

/** A dispute of a payment and its Stripe events. */
export const disputeOf = (payment: string, usd: number) => {
  const id = randomId('dp')
  const charge = randomId('ch')
  const event = (type: string, second: number, status: string) =>
    stripeEvent(
      `charge.dispute.${type}`,
      {
        id,
        object: 'dispute',
        charge,
        payment_intent: payment,
        amount: Math.round(usd * 100),
        currency: 'usd',
        reason: 'fraudulent',
        status,
        metadata: {},
      },
      second,
    )
  return {
    created: (second: number, status = 'needs_response') => event('created', second, status),
    withdrawn: (second: number) => event('funds_withdrawn', second, 'needs_response'),
    updated: (second: number, status = 'under_review') => event('updated', second, status),
    closed: (second: number, status: string) => event('closed', second, status),
    reinstated: (second: number) => event('funds_reinstated', second, 'won'),
  }
}

export const billingOf = async (server: Pick<TestServer, 'url'>, user: TestUser, path = 'me') =>
  (await request(server, 'GET', `/api/billing/${path}`, { token: user.key })).body

export const tierOf = async (server: Pick<TestServer, 'url'>, user: TestUser): Promise<string> =>
  (await request(server, 'GET', '/api/me', { token: user.key })).body.tier
