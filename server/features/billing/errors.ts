import { defineErrors } from '../../platform/http/error.ts'

const invalidField = (field: string, msg: string, type = 'value_error') => ({
  status: 422,
  detail: [{ loc: ['body', field], type, msg }],
})

export const billingError = defineErrors({
  spend_cap_too_precise: invalidField('cap_usd', 'Input should have at most six decimals'),
  payg_without_credits: {
    status: 409,
    detail: 'Buy credits first, with POST /api/billing/checkout',
  },
  payments_not_configured: (variable: string) => ({
    status: 503,
    detail: `Payments are not configured: set ${variable}`,
  }),
  payment_provider_failed: (cause: unknown) => ({
    status: 502,
    detail: 'The payment provider failed to answer; try again',
    cause,
  }),
  checkout_field_missing: (field: string) => invalidField(field, 'Field required', 'missing'),
  credit_amount_too_precise: invalidField('credits_usd', 'Input should have at most two decimals'),
  subscription_with_credits: invalidField(
    'credits_usd',
    'Buy a subscription and credits one after the other',
  ),
  tier_granted_by_admin: (tier: string) => ({
    status: 409,
    detail: `An admin has granted you the tier ${tier}`,
  }),
  already_subscribed: (tier: string) => ({
    status: 409,
    detail: `You are already subscribed to ${tier}; end it with POST /api/billing/portal`,
  }),
  tier_not_sold: (tier: string) => ({ status: 409, detail: `The tier ${tier} is not sold here` }),
  nothing_paid_yet: {
    status: 409,
    detail: 'There is no subscription to change: you have not paid for anything yet',
  },
  webhook_signature_missing: { status: 400, detail: 'The header stripe-signature is missing' },
  webhook_signature_invalid: { status: 400, detail: 'Invalid signature' },
  webhook_event_invalid: { status: 400, detail: 'The body is not a payment event' },
})
