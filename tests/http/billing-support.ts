import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { request, type TestServer, type TestUser } from '../harness/server.ts'

export const WEBHOOK_SECRET = 'whsec_a_secret_that_signs_in_tests'
export const STRIPE = { SVC_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }

/** The path of a file for `SVC_TIERS`. */
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

/** An event as Stripe makes them, of a second that counts from the start of a story. */
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
  /** When it was signed, in seconds. */
  signedAt?: number
  /** Sent instead of the header that belongs to it. */
  signature?: string | null
  path?: string
}

/** Delivers an event, signed by Stripe's own library. */
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

/** One subscription of somebody's, and the events that Stripe tells of it. */
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

/** A checkout that was paid for credits. */
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

/** Of a payment so much was paid back by then. */
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

/** What was to be paid back and could not be. */
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

/** A dispute about a payment, and the events that Stripe tells of it. */
export const disputeOf = (payment: string, usd: number) => {
  const id = randomId('dp')
  const charge = randomId('ch')
  const told = (type: string, second: number, status: string) =>
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
    created: (second: number, status = 'needs_response') => told('created', second, status),
    withdrawn: (second: number) => told('funds_withdrawn', second, 'needs_response'),
    updated: (second: number, status = 'under_review') => told('updated', second, status),
    closed: (second: number, status: string) => told('closed', second, status),
    reinstated: (second: number) => told('funds_reinstated', second, 'won'),
  }
}

/** What somebody reads of their own. */
export const billingOf = async (server: Pick<TestServer, 'url'>, user: TestUser, path = 'me') =>
  (await request(server, 'GET', `/api/billing/${path}`, { token: user.key })).body

export const tierOf = async (server: Pick<TestServer, 'url'>, user: TestUser): Promise<string> =>
  (await request(server, 'GET', '/api/me', { token: user.key })).body.tier
