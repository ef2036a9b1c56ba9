import type { AuditService } from '../../account/users/audit/service.ts'
import type { AppDeps } from '../../deps.ts'
import type { Db } from '../../platform/db/database.ts'
import type { UsageServices } from '../../usage/usage.ts'
import { createCheckoutRecords, createPaymentPages } from './checkout/payment-pages.ts'
import { createCheckoutService } from './checkout/service.ts'
import { createCreditService } from './credits/service.ts'
import { createBillingOverview } from './overview.ts'
import { createStripe } from './stripe/client.ts'
import { createCancellation, createSubscriptionService } from './subscriptions/service.ts'
import { startWebhooks } from './webhooks/service.ts'

interface BillingDeps {
  audit: Pick<AuditService, 'record'>
  usage: Pick<UsageServices, 'counts' | 'accounts'>
}

export type Billing = ReturnType<typeof startBilling>

/** Starts payments. */
export const startBilling = (
  deps: AppDeps,
  { audit, usage: { counts, accounts } }: BillingDeps,
) => {
  const { config, baseUrl, database, log } = deps
  const { tiers } = config
  const { db } = database
  const subscriptions = createSubscriptionService()
  const { stripe, cancellation, records } = createPayments(deps)
  const pages = createPaymentPages({ db, stripe, accounts, records, baseUrl })
  return {
    overview: createBillingOverview({ database, accounts, subscriptions, usage: counts, tiers }),
    checkouts: createCheckoutService({ db, pages, accounts, subscriptions, tiers }),
    webhooks: startWebhooks({
      database,
      accounts,
      subscriptions,
      credits: createCreditService(accounts, audit.record),
      cancellation,
      checkouts: records,
      tiers,
      settings: config.stripe,
      log,
    }),
  }
}

type PaymentDeps = Pick<AppDeps, 'config' | 'jobs'>

/** The purchases of users at the payment provider, which end with the user also while billing is off. */
const createPayments = ({ config, jobs }: PaymentDeps) => {
  const stripe = createStripe(config.stripe)
  const cancellation = createCancellation(stripe, jobs)
  const records = createCheckoutRecords(stripe, jobs)
  return { stripe, cancellation, records }
}

/** Starts the jobs of `endPayments`. */
export const startPaymentEnds = (deps: PaymentDeps): void => {
  const { cancellation, records } = createPayments(deps)
  deps.jobs.work(cancellation.kind)
  deps.jobs.work(records.kind)
}

/** Cancels the subscriptions of a user whose account is deleted, and expires their open checkouts. */
export const endPayments = (deps: PaymentDeps) => {
  const { cancellation, records } = createPayments(deps)
  return async (tx: Db, { id }: { id: string }): Promise<void> => {
    await cancellation.erase(tx, id)
    await records.erase(tx, id)
  }
}
