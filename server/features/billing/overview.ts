import type {
  Balance,
  BillingMe,
  PaygCap,
  SetPayg,
  SetPaygCap,
} from '../../../shared/contract/billing.ts'
import {
  getBalance,
  getBilling,
  getPaygCap,
  setPayg,
  setPaygCap,
} from '../../../shared/contract/index.ts'
import { forEachMetric } from '../../../shared/tiers.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { BillingAccounts } from '../../usage/accounts/service.ts'
import type { UsageService } from '../../usage/counts/service.ts'
import { microsToCredits, microsToUsd, usdToMicros } from '../../usage/money.ts'
import type { TierCatalog } from '../../usage/tiers.ts'
import { billingError } from './errors.ts'
import type { Subscription, SubscriptionService } from './subscriptions/service.ts'

/** One US dollar. */
const LOW_BALANCE_MICROS = 1_000_000

export type BillingOverview = ReturnType<typeof createBillingOverview>

interface OverviewDeps {
  database: Database
  accounts: Pick<BillingAccounts, 'find' | 'update' | 'setCap'>
  subscriptions: Pick<SubscriptionService, 'list'>
  usage: Pick<UsageService, 'state'>
  tiers: TierCatalog
}

/** Balance, spend cap and payg settings of a user. */
export const createBillingOverview = ({
  database: { db },
  accounts,
  subscriptions,
  usage,
  tiers,
}: OverviewDeps) => {
  const cheapestMicros = Math.max(1, Math.min(...Object.values(tiers.priceMicros)))

  const balanceOf = (micros: number): Balance => presentBalance(micros, cheapestMicros)

  const capOf = async ({ userId }: Caller, within: Db = db): Promise<PaygCap> => {
    const { account } = await usage.state(userId, within)
    return presentCap(account)
  }

  const me = async ({ userId }: Caller, within: Db = db): Promise<BillingMe> => {
    const { tier, account } = await usage.state(userId, within)
    const [best] = await subscriptions.list(within, userId)
    const billingAccount = await accounts.find(within, userId)
    return {
      tier,
      subscription: best ? presentSubscription(best) : null,
      payg: {
        enabled: billingAccount?.paysAsTheyGo ?? false,
        ...balanceOf(account.balanceMicros),
        ...presentCap(account),
        prices_usd: forEachMetric((metric) => microsToUsd(tiers.priceMicros[metric])),
      },
    }
  }

  return {
    me: (caller: Caller): Promise<BillingMe> => me(caller),
    cap: (caller: Caller): Promise<PaygCap> => capOf(caller),

    async balance({ userId }: Caller): Promise<Balance> {
      const { account } = await usage.state(userId)
      return balanceOf(account.balanceMicros)
    },

    /** @throws ApiError 422 for more than six decimals. */
    async setCap(caller: Caller, { cap_usd }: SetPaygCap): Promise<PaygCap> {
      const capMicros = cap_usd === null ? null : usdToMicros(cap_usd)
      if (capMicros === undefined) throw billingError('spend_cap_too_precise')
      // The account stays locked, so that the response shows the cap of this request.
      return db.transaction(async (tx) => {
        await accounts.setCap(tx, caller.userId, capMicros)
        return capOf(caller, tx)
      })
    },

    /**
     * Enables or disables payg, which applies while no subscription is live.
     * @throws ApiError 409 for a user without credits.
     */
    async setPayg(caller: Caller, { enabled }: SetPayg): Promise<BillingMe> {
      return db.transaction(async (tx) => {
        await accounts.update(tx, caller.userId, ({ balanceMicros }) => {
          if (enabled && balanceMicros < cheapestMicros) throw billingError('payg_without_credits')
          return { paysAsTheyGo: enabled }
        })
        return me(caller, tx)
      })
    },
  }
}

/** A balance below the price of the cheapest use is depleted. */
const presentBalance = (balanceMicros: number, cheapestMicros: number): Balance => ({
  balance_credits: microsToCredits(balanceMicros),
  balance_usd: microsToUsd(balanceMicros),
  low_balance: balanceMicros < LOW_BALANCE_MICROS,
  depleted: balanceMicros < cheapestMicros,
})

const presentCap = (account: { capMicros: number | null; spentMicros: number }): PaygCap => ({
  cap_usd: account.capMicros === null ? null : microsToUsd(account.capMicros),
  spent_usd: microsToUsd(account.spentMicros),
})

const presentSubscription = ({ tier, status, periodEnd, cancelsAtPeriodEnd }: Subscription) => ({
  tier,
  status,
  current_period_end: periodEnd === null ? null : new Date(periodEnd * 1000).toISOString(),
  cancel_at_period_end: cancelsAtPeriodEnd,
})

export const billingRoutes = (mount: Mount, billing: BillingOverview): void => {
  mount(getBalance, ({ caller }) => billing.balance(caller))
  mount(getBilling, ({ caller }) => billing.me(caller))
  mount(getPaygCap, ({ caller }) => billing.cap(caller))
  mount(setPaygCap, ({ caller, body }) => billing.setCap(caller, body))
  mount(setPayg, ({ caller, body }) => billing.setPayg(caller, body))
}
