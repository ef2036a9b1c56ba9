import type { AuditService } from '../account/users/audit/service.ts'
import type { AppDeps } from '../deps.ts'
import type { Db } from '../platform/db/database.ts'
import { createAccountService } from './accounts/service.ts'
import { createPaymentPages, startCheckoutRecords } from './checkout/payment-pages.ts'
import { createCheckoutService } from './checkout/service.ts'
import { createCreditService } from './credits/service.ts'
import { createGates } from './gates.ts'
import { createBillingOverview } from './overview/service.ts'
import { createStripe } from './stripe/client.ts'
import { createSubscriptionService, startCancellation } from './subscriptions/service.ts'
import { createUsageService } from './usage/service.ts'
import { startWebhooks } from './webhooks/service.ts'

export type Billing = ReturnType<typeof startBilling>

/** Starts usage counting, tier gates and payments. */
export const startBilling = (
  { config, baseUrl, database, jobs, log }: AppDeps,
  { audit }: { audit: Pick<AuditService, 'record'> },
) => {
  const { tiers } = config
  const upgradeUrl = `${baseUrl}/pricing`
  const usage = createUsageService(database, { tiers, upgradeUrl })
  const subscriptions = createSubscriptionService()
  const accounts = createAccountService(subscriptions, { defaultTier: () => config.defaultTier })
  const stripe = createStripe(config.stripe)
  const cancellation = startCancellation(stripe, jobs, subscriptions)
  const records = startCheckoutRecords(stripe, jobs)
  const pages = createPaymentPages({
    db: database.db,
    stripe,
    accounts,
    records,
    baseUrl,
  })
  return {
    gates: createGates(tiers, upgradeUrl),
    usage,
    accounts,

    /** Cancels the subscriptions of a user whose account is deleted, and expires their open checkouts. */
    async erase(tx: Db, userId: string): Promise<void> {
      await cancellation.erase(tx, userId)
      await records.erase(tx, userId)
    },
    overview: createBillingOverview({
      database,
      accounts,
      subscriptions,
      usage,
      tiers,
      takesPayments: stripe.isConfigured,
    }),
    checkouts: createCheckoutService({ db: database.db, pages, accounts, subscriptions, tiers }),
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
