import { type Static, Type } from '@sinclair/typebox'
import { SUBSCRIPTION_TIERS } from '../tiers.ts'
import { OneOf, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

export const Checkout = Type.Object(
  {
    tier: Type.Optional(
      OneOf([...SUBSCRIPTION_TIERS, 'payg'], {
        description:
          'The tier to subscribe to, or `payg` together with `credits_usd` to pay as you go.',
      }),
    ),
    credits_usd: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 10_000,
        description: 'The amount of credits to buy, in US dollars with at most two decimals.',
        examples: [10],
      }),
    ),
  },
  { examples: [{ tier: SUBSCRIPTION_TIERS[0] }] },
)
export type Checkout = Static<typeof Checkout>

/** Where the payment page leads back to. */
export const PaymentQuery = Type.Object({
  return_to: withDefault(
    OneOf(['pricing', 'console'], {
      description: 'The page that the payment page leads back to: `/pricing` or `/app/usage`.',
    }),
    'pricing',
  ),
})
export type PaymentQuery = Static<typeof PaymentQuery>

export const PaymentPage = Type.Object(
  {
    url: Type.String({
      description: 'The URL of a page of the payment provider, to open in a browser.',
    }),
  },
  { $id: 'PaymentPage' },
)
export type PaymentPage = Static<typeof PaymentPage>

export const WebhookReceipt = Type.Object({ received: Type.Boolean() })

const tag = 'Billing'

export const checkout = endpoint({
  name: 'checkout',
  queue: 'slow',
  method: 'POST',
  path: '/api/billing/checkout',
  tag,
  summary: 'Create a payment page for a subscription or for credits',
  credential: 'bearer',
  query: PaymentQuery,
  body: Checkout,
  success: [200, PaymentPage],
  errors: {
    409: ['tier_granted_by_admin', 'already_subscribed', 'tier_not_sold'],
    502: ['payment_provider_failed'],
    503: ['payments_not_configured'],
  },
})

export const portal = endpoint({
  name: 'portal',
  queue: 'slow',
  method: 'POST',
  path: '/api/billing/portal',
  tag,
  summary: 'Create a page to change or cancel the subscription',
  credential: 'bearer',
  query: PaymentQuery,
  success: [200, PaymentPage],
  errors: {
    409: ['nothing_paid_yet'],
    502: ['payment_provider_failed'],
    503: ['payments_not_configured'],
  },
})

/** Served at two paths: `payments` and `stripe`. Either may be configured at the provider. */
export const paymentsWebhook = endpoint({
  name: 'paymentsWebhook',
  method: 'POST',
  path: '/api/billing/webhooks/payments',
  tag,
  summary: 'Receive signed notifications from the payment provider',
  credential: 'none',
  signedBy: 'Stripe-Signature',
  success: [200, WebhookReceipt],
  errors: {
    400: ['webhook_signature_missing', 'webhook_signature_invalid', 'webhook_event_invalid'],
    413: ['body_too_large'],
    503: ['payments_not_configured'],
  },
})

export const stripeWebhook = endpoint({
  ...paymentsWebhook,
  name: 'stripeWebhook',
  path: '/api/billing/webhooks/stripe',
  summary: 'Receive signed notifications from Stripe; the same as /api/billing/webhooks/payments',
})
