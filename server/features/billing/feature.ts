import * as billingRows from '../../../shared/contract/billing.ts'
import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as paymentRows from '../../../shared/contract/payments.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import { defineOptionalFeature } from '../../feature.ts'
import type { UsageServices } from '../../usage/usage.ts'
import { endPayments, startBilling, startPaymentEnds } from './billing.ts'
import { billingRetention } from './retention.ts'
import { serveBilling } from './routes.ts'
import { isStripeConfigured } from './stripe/client.ts'
import { findPaidTier } from './subscriptions/service.ts'

interface Needs {
  account: { audit: Pick<AuditService, 'record'> }
  usage: Pick<UsageServices, 'counts' | 'accounts'>
}

/** Payments by Stripe: subscriptions, and credits for what is used. */
export const billing = defineOptionalFeature({
  name: 'billing',
  option: 'billing',
  rows: [billingRows, paymentRows].flatMap(endpointsOf),
  retention: () => billingRetention,
  payments: { isConfigured: ({ stripe }) => isStripeConfigured(stripe), tierOf: findPaidTier },
  start: (core, { account, usage }: Needs) => startBilling(core, { audit: account.audit, usage }),
  startEndings: startPaymentEnds,
  endings: (_, core) => ({ user: [{ run: endPayments(core) }] }),
  serve: serveBilling,
})
