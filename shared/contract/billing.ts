import { Type } from '@sinclair/typebox'
import {
  Balance,
  BillingMe,
  Checkout,
  PaygCap,
  PaymentPage,
  PaymentQuery,
  SetPayg,
  SetPaygCap,
  Tiers,
  Usage,
  UsageHistory,
  WebhookReceipt,
} from '../schemas/billing.ts'
import { withDefault } from '../schemas/common.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Billing'

export const getTiers = endpoint({
  name: 'getTiers',
  method: 'GET',
  path: '/api/billing/tiers',
  tag,
  summary: 'List the tiers with their prices, quotas and features',
  credential: 'none',
  success: [200, Tiers],
})

export const getUsage = endpoint({
  name: 'getUsage',
  method: 'GET',
  path: '/api/billing/usage',
  tag,
  summary: 'Get this month’s usage and quotas',
  credential: 'bearer',
  success: [200, Usage],
})

export const usageHistory = endpoint({
  name: 'usageHistory',
  method: 'GET',
  path: '/api/billing/usage/history',
  tag,
  summary: 'List the usage of the last months',
  credential: 'bearer',
  query: Type.Object({
    months: withDefault(
      Type.Integer({ minimum: 1, maximum: 60, description: 'Number of months with this one.' }),
      12,
    ),
  }),
  success: [200, UsageHistory],
})

export const getBalance = endpoint({
  name: 'getBalance',
  method: 'GET',
  path: '/api/billing/balance',
  tag,
  summary: 'Get the credit balance',
  credential: 'bearer',
  success: [200, Balance],
})

export const getBilling = endpoint({
  name: 'getBilling',
  method: 'GET',
  path: '/api/billing/me',
  tag,
  summary: 'Get the tier, the subscription and the pay-as-you-go settings',
  credential: 'bearer',
  success: [200, BillingMe],
})

export const getPaygCap = endpoint({
  name: 'getPaygCap',
  method: 'GET',
  path: '/api/billing/payg-cap',
  tag,
  summary: 'Get the monthly spending cap of pay as you go',
  credential: 'bearer',
  success: [200, PaygCap],
})

export const setPaygCap = endpoint({
  name: 'setPaygCap',
  method: 'PUT',
  path: '/api/billing/payg-cap',
  tag,
  summary: 'Set or clear the monthly spending cap of pay as you go',
  credential: 'bearer',
  body: SetPaygCap,
  success: [200, PaygCap],
})

export const setPayg = endpoint({
  name: 'setPayg',
  method: 'PUT',
  path: '/api/billing/payg',
  tag,
  summary: 'Turn pay as you go on or off',
  credential: 'bearer',
  body: SetPayg,
  success: [200, BillingMe],
  errors: { 409: ['payg_without_credits'] },
})

export const checkout = endpoint({
  name: 'checkout',
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
