import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'
import { eachMetric, Tier } from './usage.ts'

const balance = {
  balance_credits: Type.Number({
    description: '1,000 credits are one US dollar. Negative after a reversed payment.',
  }),
  balance_usd: Type.Number(),
  low_balance: Type.Boolean({ description: 'Whether the balance is below one US dollar.' }),
  depleted: Type.Boolean({ description: 'Whether the balance is used up.' }),
}

export const Balance = Type.Object(balance)
export type Balance = Static<typeof Balance>

const cap = {
  cap_usd: Nullable(Type.Number(), {
    description: 'The spending cap of pay as you go per calendar month; null means no cap.',
  }),
  spent_usd: Type.Number({ description: 'Spent in this calendar month.' }),
}

export const PaygCap = Type.Object(cap)
export type PaygCap = Static<typeof PaygCap>

export const SetPaygCap = Type.Object({
  cap_usd: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000 }), {
    description: 'US dollars with at most six decimals; null removes the cap.',
    examples: [25],
  }),
})
export type SetPaygCap = Static<typeof SetPaygCap>

export const SetPayg = Type.Object({
  enabled: Type.Boolean({
    description: 'Whether pay as you go applies while no subscription is active.',
    examples: [false],
  }),
})
export type SetPayg = Static<typeof SetPayg>

export const BillingMe = Type.Object({
  tier: Tier,
  subscription: Nullable(
    Type.Object({
      tier: Tier,
      status: Type.String({ examples: ['active', 'trialing', 'past_due', 'canceled'] }),
      current_period_end: Nullable(Timestamp()),
      cancel_at_period_end: Type.Boolean(),
    }),
    { description: 'The active subscription, or the last one; null if there was none.' },
  ),
  payg: Type.Object({
    enabled: Type.Boolean({
      description: 'Whether pay as you go is turned on; an active subscription takes precedence.',
    }),
    ...balance,
    ...cap,
    prices_usd: eachMetric(Type.Number({ description: 'Price of one unit in US dollars.' })),
  }),
})
export type BillingMe = Static<typeof BillingMe>

const tag = 'Billing'

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
  isIdempotent: true,
  success: [200, PaygCap],
  affects: ['getBilling'],
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
  affects: ['getBilling', 'getUsage', 'me'],
  errors: { 409: ['payg_without_credits'] },
})
