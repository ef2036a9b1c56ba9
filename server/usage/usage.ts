import type { Tiers } from '../../shared/contract/usage.ts'
import type { Core } from '../feature.ts'
import { createBillingAccounts } from './accounts/service.ts'
import { createUsageService } from './counts/service.ts'
import { createGates } from './gates.ts'
import type { TierCatalog, TierConfig } from './tiers.ts'

export type UsageServices = ReturnType<typeof startUsage>

/** Starts the tiers: what each may use, how much of it is used, and whose tier an admin sets. */
export const startUsage = ({ config, baseUrl, database, payments }: Core) => {
  const { tiers } = config
  const upgradeUrl = `${baseUrl}/pricing`
  return {
    gates: createGates(tiers, upgradeUrl),
    counts: createUsageService(database, { tiers, upgradeUrl }),
    accounts: createBillingAccounts(payments.tierOf, { defaultTier: () => config.defaultTier }),
    terms: { tiers, takesPayments: payments.isConfigured },
  }
}

/** The tiers with what they allow, and whether users can pay for one here. */
export interface Terms {
  tiers: TierCatalog
  takesPayments: boolean
}

export const presentTerms = ({ tiers, takesPayments }: Terms): Tiers => ({
  tiers: tiers.all.map(presentTier),
  takes_payments: takesPayments,
})

const presentTier = ({
  name,
  priceCents,
  quotas,
  seats,
  features,
}: TierConfig): Tiers['tiers'][number] => ({
  name,
  price_usd: priceCents / 100,
  quotas,
  seats,
  features: [...features],
})
