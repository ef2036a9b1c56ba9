import * as billingRows from '../../../shared/contract/billing.ts'
import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as paymentRows from '../../../shared/contract/payments.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { defineRetention } from '../../platform/retention.ts'
import type { UsageServices } from '../../usage/usage.ts'
import { endPayments, startBilling, startPaymentEnds } from './billing.ts'
import { checkoutRoutes } from './checkout/service.ts'
import { deleteOldCheckouts } from './checkout/store.ts'
import { billingRoutes } from './overview.ts'
import { isStripeConfigured } from './stripe/client.ts'
import { findPaidTier } from './subscriptions/service.ts'
import { webhookRoutes } from './webhooks/service.ts'
import { deleteOldEvents } from './webhooks/store.ts'

interface Needs {
  account: { audit: Pick<AuditService, 'record'> }
  usage: Pick<UsageServices, 'counts' | 'accounts'>
}

/** Stripe repeats an event for three days; a checkout is open for one day and may be paid weeks later. */
const KEPT_DAYS = 60

/** Payments by Stripe: subscriptions, and credits for what is used. */
export const billing = defineOptionalFeature({
  name: 'billing',
  option: 'billing',
  rows: [billingRows, paymentRows].flatMap(endpointsOf),
  retention: () => [
    defineRetention({ name: 'payment_events', run: ({ db }) => deleteOldEvents(db, KEPT_DAYS) }),
    defineRetention({ name: 'checkouts', run: ({ db }) => deleteOldCheckouts(db, KEPT_DAYS) }),
  ],
  payments: { isConfigured: ({ stripe }) => isStripeConfigured(stripe), tierOf: findPaidTier },
  start: (core, { account, usage }: Needs) => startBilling(core, { audit: account.audit, usage }),
  startEndings: startPaymentEnds,
  endings: (_, core) => ({ user: [{ run: endPayments(core) }] }),
  serve({ mount }, { overview, checkouts, webhooks }) {
    billingRoutes(mount, overview)
    checkoutRoutes(mount, checkouts)
    webhookRoutes(mount, webhooks)
  },
})
