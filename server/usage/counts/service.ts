import type { Usage, UsageHistory } from '../../../shared/contract/usage.ts'
import { forEachMetric, type Metric } from '../../../shared/tiers.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { hasDisconnected } from '../../platform/http/disconnect.ts'
import type { ApiError } from '../../platform/http/error.ts'
import { usageError } from '../errors.ts'
import { microsToCredits, microsToUsd } from '../money.ts'
import { quotasByTier, type TierCatalog } from '../tiers.ts'
import {
  consumeUsage,
  findUsageState,
  listUsageMonths,
  refundUsage,
  type UsageMonth,
  type UsageReceipt,
  type UsageState,
} from './store.ts'

export type { UsageReceipt }

export type UsageService = ReturnType<typeof createUsageService>

export const createUsageService = (
  { db }: Database,
  { tiers, upgradeUrl }: { tiers: TierCatalog; upgradeUrl: string },
) => {
  const rejectionOf = createUsageRejection(tiers, upgradeUrl)

  const state = async (userId: string, within: Db = db): Promise<UsageState> => {
    const found = await findUsageState(within, userId)
    if (!found) throw usageError('billed_user_not_found')
    return found
  }

  const consume = async (
    userId: string,
    metric: Metric,
    { count = 1, tx = db }: { count?: number; tx?: Db } = {},
  ): Promise<UsageReceipt> => {
    const costMicros = tiers.priceMicros[metric] * count
    const quotas = quotasByTier(tiers, metric)
    const receipt = await consumeUsage(tx, { userId, metric, count, quotas, costMicros })
    if (!receipt) throw rejectionOf(await state(userId, tx), metric, costMicros)
    return receipt
  }

  const refund = (receipt: UsageReceipt, within: Db = db): Promise<void> =>
    within.transaction((tx) => refundUsage(tx, receipt))

  return {
    /**
     * Consumes `count` of a metric before the work is done; on payg the user pays for it. Within `tx`
     * it rolls back with the transaction, and blocks the user's other usage until its end.
     * @returns the receipt to refund if the work is not done.
     * @throws ApiError 429 if the quota, the credits or the spend cap are used up.
     */
    consume,

    /**
     * Refunds a receipt to the month it was consumed in, with the credits paid. A receipt is refunded
     * once: pass the transaction that settles the work, so that a retry does not refund it again.
     */
    refund,

    /**
     * Consumes one before `work` and refunds it if `work` fails, unless it failed because the client
     * disconnected while it ran.
     * @throws as `consume` and `work`.
     */
    async consumeDuring<T>(
      userId: string,
      metric: Metric,
      work: () => Promise<T>,
      signal?: AbortSignal,
    ): Promise<T> {
      const receipt = await consume(userId, metric)
      const wasConnected = !signal?.aborted
      return work().catch(async (error) => {
        if (!(signal && wasConnected && hasDisconnected(signal))) await refund(receipt)
        throw error
      })
    },

    state,

    /** The user's usage of this month and the quotas of their tier. */
    async read({ userId }: Caller): Promise<Usage> {
      const { tier, used, start, end } = await state(userId)
      const { quotas } = tiers.of(tier)
      return {
        tier,
        period_start: new Date(start).toISOString(),
        period_end: new Date(end).toISOString(),
        usage: forEachMetric((metric) => quotaOf(used[metric] ?? 0, quotas[metric])),
      }
    },

    history: async ({ userId }: Caller, months: number): Promise<UsageHistory> => ({
      months: (await listUsageMonths(db, userId, months)).map(presentMonth),
    }),
  }
}

const presentMonth = ({ start, used, paidMicros }: UsageMonth): UsageHistory['months'][number] => ({
  period_start: new Date(start).toISOString(),
  usage: forEachMetric((metric) => used[metric] ?? 0),
  spent_usd: microsToUsd(paidMicros),
})

const quotaOf = <L extends number | null>(used: number, limit: L) => ({
  used,
  limit,
  // A change to a lower tier can leave more used than the limit.
  remaining: (limit === null ? null : Math.max(0, limit - used)) as L,
})

/** @returns a function that creates the 429 for usage that was not counted, from the user's state. */
const createUsageRejection = (tiers: TierCatalog, upgradeUrl: string) => {
  const quotaExceeded = ({ tier, used, end }: UsageState, metric: Metric): ApiError => {
    const quota = quotaOf(used[metric] ?? 0, tiers.of(tier).quotas[metric] ?? 0)
    return usageError('quota_exceeded', {
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
      return usageError('spend_cap_reached', {
        error: 'spend_cap_reached',
        message: `This would exceed your monthly spend cap; raise it with PUT /api/billing/payg-cap, or wait until ${end}`,
        cap_usd: microsToUsd(capMicros),
        spent_usd: microsToUsd(spentMicros),
        ...common,
      })
    return usageError('credits_depleted', {
      error: 'credits_depleted',
      message: `This costs ${common.required_credits} credits and you have ${common.balance_credits}; buy more with POST /api/billing/checkout`,
      ...common,
    })
  }

  return (state: UsageState, metric: Metric, costMicros: number): ApiError =>
    state.tier === 'payg' ? notPaid(state, costMicros) : quotaExceeded(state, metric)
}
