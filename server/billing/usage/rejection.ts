import type { Metric } from '../../../shared/tiers.ts'
import type { ApiError } from '../../platform/http/error.ts'
import { billingError } from '../errors.ts'
import { microsToCredits, microsToUsd } from '../money.ts'
import type { TierCatalog } from '../tiers.ts'
import type { UsageState } from './store.ts'

export const quotaOf = <L extends number | null>(used: number, limit: L) => ({
  used,
  limit,
  // A change to a lower tier can leave more used than the limit.
  remaining: (limit === null ? null : Math.max(0, limit - used)) as L,
})

/** @returns a function that creates the 429 for usage that was not counted, from the user's state. */
export const createUsageRejection = (tiers: TierCatalog, upgradeUrl: string) => {
  const quotaExceeded = ({ tier, used, end }: UsageState, metric: Metric): ApiError => {
    const quota = quotaOf(used[metric] ?? 0, tiers.of(tier).quotas[metric] ?? 0)
    return billingError('quota_exceeded', {
      error: 'quota_exceeded',
      message: `You have used ${quota.used} of ${quota.limit} ${metric} this month on the tier ${tier}; the quota resets on ${end}`,
      quota,
      current_tier: tier,
      recommended_tier: tiers.withMore(tier, metric),
      upgrade_url: upgradeUrl,
    })
  }

  const notPaid = ({ account, end }: UsageState, costMicros: number): ApiError => {
    const { balanceMicros, capMicros, spentMicros } = account
    const common = {
      balance_credits: microsToCredits(balanceMicros),
      balance_usd: microsToUsd(balanceMicros),
      required_credits: microsToCredits(costMicros),
      current_tier: 'payg' as const,
      recommended_tier: tiers.highestSubscription,
      upgrade_url: upgradeUrl,
    }
    if (balanceMicros >= costMicros && capMicros !== null)
      return billingError('spend_cap_reached', {
        error: 'spend_cap_reached',
        message: `This would exceed your monthly spend cap; raise it with PUT /api/billing/payg-cap, or wait until ${end}`,
        cap_usd: microsToUsd(capMicros),
        spent_usd: microsToUsd(spentMicros),
        ...common,
      })
    return billingError('credits_depleted', {
      error: 'credits_depleted',
      message: `This costs ${common.required_credits} credits and you have ${common.balance_credits}; buy more with POST /api/billing/checkout`,
      ...common,
    })
  }

  return (state: UsageState, metric: Metric, costMicros: number): ApiError =>
    state.tier === 'payg' ? notPaid(state, costMicros) : quotaExceeded(state, metric)
}
