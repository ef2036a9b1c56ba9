import type { AuditService } from '../account/audit/service.ts'
import type { Db } from '../platform/db/database.ts'
import type { Surroundings } from '../surroundings.ts'
import { createAccountService } from './accounts/service.ts'
import { startCheckoutRecords } from './checkout/records.ts'
import { createCheckoutService } from './checkout/service.ts'
import { createCreditService } from './credits/service.ts'
import { createGates } from './gates.ts'
import { createBillingOverview } from './overview/service.ts'
import { createStripe } from './stripe/client.ts'
import { startCancellation } from './subscriptions/cancellation.ts'
import { createSubscriptionService } from './subscriptions/service.ts'
import { createUsageService } from './usage/service.ts'
import { startWebhooks } from './webhooks/service.ts'

export type Billing = Awaited<ReturnType<typeof startBilling>>

/** Starts what counts use, gates what a tier does not open, and takes payments. */
export const startBilling = async (
  { config, baseUrl, database, jobs, log }: Surroundings,
  { audit }: { audit: Pick<AuditService, 'record'> },
) => {
  const { tiers } = config
  const upgradeUrl = `${baseUrl}/pricing`
  const usage = createUsageService(database, { tiers, upgradeUrl })
  const subscriptions = createSubscriptionService()
  const accounts = createAccountService(subscriptions, { defaultTier: config.defaultTier })
  const stripe = createStripe(config.stripe)
  const cancellation = await startCancellation(stripe, jobs, subscriptions)
  const records = await startCheckoutRecords(stripe, jobs)
  return {
    gates: createGates(tiers, upgradeUrl),
    usage,
    accounts,
    /** Ends what somebody who deletes their account would else go on paying for. */
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
    checkouts: createCheckoutService({
      database,
      stripe,
      accounts,
      subscriptions,
      records,
      tiers,
      pricingUrl: upgradeUrl,
    }),
    webhooks: await startWebhooks({
      database,
      jobs,
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
