import {
  Balance,
  BillingMe,
  Checkout,
  PaygCap,
  PaymentPage,
  Received,
  SetPayg,
  SetPaygCap,
  Tiers,
  Usage,
} from '../schemas/billing.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Billing'

export const getTiers = endpoint({
  name: 'getTiers',
  method: 'GET',
  path: '/api/billing/tiers',
  tag,
  summary: 'What each tier opens, and how much a month',
  credential: 'none',
  success: [200, Tiers],
})

export const getUsage = endpoint({
  name: 'getUsage',
  method: 'GET',
  path: '/api/billing/usage',
  tag,
  summary: 'What was used this month, beside the quota',
  credential: 'bearer',
  success: [200, Usage],
})

export const getBalance = endpoint({
  name: 'getBalance',
  method: 'GET',
  path: '/api/billing/balance',
  tag,
  summary: 'The credits that are left',
  credential: 'bearer',
  success: [200, Balance],
})

export const getBilling = endpoint({
  name: 'getBilling',
  method: 'GET',
  path: '/api/billing/me',
  tag,
  summary: 'Tier, subscription and pay as you go',
  credential: 'bearer',
  success: [200, BillingMe],
})

export const getPaygCap = endpoint({
  name: 'getPaygCap',
  method: 'GET',
  path: '/api/billing/payg-cap',
  tag,
  summary: 'The most that pay as you go may spend a month',
  credential: 'bearer',
  success: [200, PaygCap],
})

export const setPaygCap = endpoint({
  name: 'setPaygCap',
  method: 'PUT',
  path: '/api/billing/payg-cap',
  tag,
  summary: 'Set or clear the most that pay as you go may spend a month',
  credential: 'bearer',
  body: SetPaygCap,
  success: [200, PaygCap],
})

export const setPayg = endpoint({
  name: 'setPayg',
  method: 'PUT',
  path: '/api/billing/payg',
  tag,
  summary: 'Pay as you go, or stop to',
  credential: 'bearer',
  body: SetPayg,
  success: [200, BillingMe],
  errors: [409],
})

export const checkout = endpoint({
  name: 'checkout',
  method: 'POST',
  path: '/api/billing/checkout',
  tag,
  summary: 'A page to subscribe or to buy credits on',
  credential: 'bearer',
  body: Checkout,
  success: [200, PaymentPage],
  errors: [409, 502, 503],
})

export const portal = endpoint({
  name: 'portal',
  method: 'POST',
  path: '/api/billing/portal',
  tag,
  summary: 'A page to change or end the subscription on',
  credential: 'bearer',
  success: [200, PaymentPage],
  errors: [409, 502, 503],
})

/** Contract 4.7 writes the provider's name so; it is at both. */
export const paymentsWebhook = endpoint({
  name: 'paymentsWebhook',
  method: 'POST',
  path: '/api/billing/webhooks/payments',
  tag,
  summary: 'Takes the payment provider’s signed notifications',
  credential: 'none',
  success: [200, Received],
  errors: [400, 413, 503],
})

export const stripeWebhook = endpoint({
  ...paymentsWebhook,
  name: 'stripeWebhook',
  path: '/api/billing/webhooks/stripe',
  summary: 'The same, by the name of the payment provider',
})
