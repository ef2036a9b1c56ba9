import type { AuditService } from '../account/users/audit/service.ts'
import type { AppDeps } from '../deps.ts'
import type { Db } from '../platform/db/database.ts'
import { type AccountService, createAccountService } from './accounts/service.ts'
import { createPaymentPages, startCheckoutRecords } from './checkout/payment-pages.ts'
import { type CheckoutService, createCheckoutService } from './checkout/service.ts'
import { createCreditService } from './credits/service.ts'
import { createGates, type Gates } from './gates.ts'
import { type BillingOverview, createBillingOverview } from './overview/service.ts'
import { createStripe } from './stripe/client.ts'
import { createSubscriptionService, startCancellation } from './subscriptions/service.ts'
import { createUsageService, type UsageService } from './usage/service.ts'
import { startWebhooks, type WebhookService } from './webhooks/service.ts'

export interface Billing {
  gates: Gates
  usage: UsageService
  accounts: AccountService

  /** Cancels the subscriptions of a user whose account is deleted, and expires their open checkouts. */
  erase(tx: Db, userId: string): Promise<void>

  overview: BillingOverview
  checkouts: CheckoutService
  webhooks: WebhookService
}

/** Starts usage counting, tier gates and payments. */
export const startBilling = (
  { config, baseUrl, database, jobs, log }: AppDeps,
  { audit }: { audit: Pick<AuditService, 'record'> },
): Billing => {
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
    async erase(tx, userId) {
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
