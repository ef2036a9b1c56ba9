import type { CreditsDepleted, QuotaExceeded, SpendCapReached } from '../../../shared/errors.ts'
import type { Metric, Usage } from '../../../shared/schemas/billing.ts'
import { METRICS } from '../../../shared/schemas/billing.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { hasLeft } from '../../platform/http/leaving.ts'
import { inCredits, inUsd } from '../money.ts'
import { limitsOf, type Tiers } from '../tiers.ts'
import { countUse, findStanding, type Receipt, type Standing, uncountUse } from './store.ts'

export type { Receipt }

export type UsageService = ReturnType<typeof createUsageService>

export const createUsageService = (
  { db }: Database,
  { tiers, upgradeUrl }: { tiers: Tiers; upgradeUrl: string },
) => {
  const standingOf = async (userId: string, within: Db = db): Promise<Standing> => {
    const standing = await findStanding(within, userId)
    if (!standing) throw new ApiError(404, 'User not found')
    return standing
  }

  /** Says why a use was refused, by what there is after it was. */
  const refusal = async (userId: string, metric: Metric, count: number, within: Db) => {
    const standing = await standingOf(userId, within)
    const detail =
      standing.tier === 'payg' ? unpaid(standing, metric, count) : exceeded(standing, metric)
    return new ApiError(429, { ...detail })
  }

  const exceeded = ({ tier, used, end }: Standing, metric: Metric): QuotaExceeded => {
    const quota = quotaOf(used[metric] ?? 0, tiers.of(tier).quotas[metric] ?? 0)
    return {
      error: 'quota_exceeded',
      message: `You have used ${quota.used} of the ${quota.limit} ${metric} that ${tier} has a month; they are counted anew on ${end}`,
      quota,
      current_tier: tier,
      recommended_tier: tiers.withMore(tier, metric),
      upgrade_url: upgradeUrl,
    }
  }

  const unpaid = (
    { account: { balanceMicros, capMicros, spentMicros }, end }: Standing,
    metric: Metric,
    count: number,
  ): CreditsDepleted | SpendCapReached => {
    const costMicros = tiers.priceMicros[metric] * count
    const common = {
      balance_credits: inCredits(balanceMicros),
      balance_usd: inUsd(balanceMicros),
      required_credits: inCredits(costMicros),
      current_tier: 'payg',
      recommended_tier: 'conscious',
      upgrade_url: upgradeUrl,
    } as const
    if (balanceMicros >= costMicros && capMicros !== null)
      return {
        error: 'spend_cap_reached',
        message: `This would pass the cap that you have set on what is spent a month; raise it with PUT /api/billing/payg-cap, or wait until ${end}`,
        cap_usd: inUsd(capMicros),
        spent_usd: inUsd(spentMicros),
        ...common,
      }
    return {
      error: 'credits_depleted',
      message: `This takes ${common.required_credits} credits and you have ${common.balance_credits}; buy more with POST /api/billing/checkout`,
      ...common,
    }
  }

  const take = async (
    userId: string,
    metric: Metric,
    { count = 1, tx = db }: { count?: number; tx?: Db } = {},
  ): Promise<Receipt> => {
    const costMicros = tiers.priceMicros[metric] * count
    const limits = limitsOf(tiers, metric)
    const receipt = await countUse(tx, { userId, metric, count, limits, costMicros })
    if (!receipt) throw await refusal(userId, metric, count, tx)
    return receipt
  }

  const giveBack = (receipt: Receipt, within: Db = db): Promise<void> =>
    within.transaction((tx) => uncountUse(tx, receipt))

  return {
    /**
     * Counts `count` of a metric for a person, before the work is done; whoever pays as they go pays
     * for it. Within `tx` it is undone with the transaction, and holds back the person's other uses
     * until its end.
     * @returns what it took, to be given back where the work is not done.
     * @throws ApiError 429 when the month's quota, the credits or the cap do not allow it (contract 7.5).
     */
    take,

    /**
     * Gives back what `take` took, when the work was not done: of the month that it was counted in, and
     * the credits that were paid. Whoever calls does so once for a receipt; where a failure between two
     * steps would have it done again, within the transaction that settles it.
     */
    giveBack,

    /**
     * Counts one while `work` is done, and takes it back when that fails; not because whoever asked has
     * left in the midst of it, which `signal` tells.
     * @throws as `take`, and as `work`.
     */
    async during<T>(
      userId: string,
      metric: Metric,
      work: () => Promise<T>,
      signal?: AbortSignal,
    ): Promise<T> {
      const receipt = await take(userId, metric)
      const isBegun = !signal?.aborted
      return work().catch(async (error) => {
        if (!(signal && isBegun && hasLeft(signal))) await giveBack(receipt)
        throw error
      })
    },

    standingOf,

    /** What a person has used this month, beside what their tier allows. */
    async usage({ userId }: Caller): Promise<Usage> {
      const { tier, used, start, end } = await standingOf(userId)
      const { quotas } = tiers.of(tier)
      const quota = (metric: Metric) => quotaOf(used[metric] ?? 0, quotas[metric])
      return {
        tier,
        period_start: new Date(start).toISOString(),
        period_end: new Date(end).toISOString(),
        usage: Object.fromEntries(
          METRICS.map((metric) => [metric, quota(metric)]),
        ) as Usage['usage'],
      }
    },
  }
}

const quotaOf = <L extends number | null>(used: number, limit: L) => ({
  used,
  limit,
  // A tier may have been lowered since.
  remaining: (limit === null ? null : Math.max(0, limit - used)) as L,
})
