import type { Surroundings } from '../surroundings.ts'
import { createAccountService } from './accounts/service.ts'
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
export const startBilling = async ({ config, baseUrl, database, jobs, log }: Surroundings) => {
  const { tiers } = config
  const upgradeUrl = `${baseUrl}/pricing`
  const usage = createUsageService(database, { tiers, upgradeUrl })
  const subscriptions = createSubscriptionService()
  const accounts = createAccountService(subscriptions, { defaultTier: config.defaultTier })
  const stripe = createStripe(config.stripe)
  const cancellation = await startCancellation(stripe, jobs, subscriptions)
  return {
    gates: createGates(tiers, upgradeUrl),
    usage,
    accounts,
    cancellation,
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
      tiers,
      pricingUrl: upgradeUrl,
    }),
    webhooks: await startWebhooks({
      database,
      jobs,
      accounts,
      subscriptions,
      credits: createCreditService(accounts),
      cancellation,
      tiers,
      settings: config.stripe,
      log,
    }),
  }
}
