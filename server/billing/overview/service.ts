import type {
  Balance,
  BillingMe,
  PaygCap,
  SetPayg,
  SetPaygCap,
  TierTerms,
} from '../../../shared/schemas/billing.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { AccountService } from '../accounts/service.ts'
import { inCredits, inUsd, ofUsd } from '../money.ts'
import type { Subscription, SubscriptionService } from '../subscriptions/service.ts'
import type { Tiers } from '../tiers.ts'
import type { UsageService } from '../usage/service.ts'

const LOW_MICROS = 1_000_000

export type BillingOverview = ReturnType<typeof createBillingOverview>

/** What people read of their money, and what they decide about it. */
export const createBillingOverview = ({
  database: { db },
  accounts,
  subscriptions,
  usage,
  tiers,
  takesPayments,
}: {
  database: Database
  accounts: Pick<AccountService, 'find' | 'change' | 'setCap'>
  subscriptions: Pick<SubscriptionService, 'list'>
  usage: Pick<UsageService, 'standingOf'>
  tiers: Tiers
  takesPayments: boolean
}) => {
  const cheapest = Math.max(1, Math.min(...Object.values(tiers.priceMicros)))

  const balanceOf = (balanceMicros: number): Balance => ({
    balance_credits: inCredits(balanceMicros),
    balance_usd: inUsd(balanceMicros),
    low_balance: balanceMicros < LOW_MICROS,
    depleted: balanceMicros < cheapest,
  })

  const capOf = async ({ userId }: Caller): Promise<PaygCap> => {
    const { account } = await usage.standingOf(userId)
    return presentCap(account)
  }

  const me = async ({ userId }: Caller): Promise<BillingMe> => {
    const { tier, account } = await usage.standingOf(userId)
    const [best] = await subscriptions.list(db, userId)
    const own = await accounts.find(db, userId)
    const { messages, urls, emails, transcriptions } = tiers.priceMicros
    return {
      tier,
      subscription: best ? presentSubscription(best) : null,
      payg: {
        enabled: own?.paysAsTheyGo ?? false,
        ...balanceOf(account.balanceMicros),
        ...presentCap(account),
        prices_usd: {
          messages: inUsd(messages),
          urls: inUsd(urls),
          emails: inUsd(emails),
          transcriptions: inUsd(transcriptions),
        },
      },
    }
  }

  return {
    terms: tiers,
    takesPayments,

    tiers: (): { tiers: TierTerms[] } => ({
      tiers: tiers.all.map(({ name, priceCents, quotas, seats, features }) => ({
        name,
        price_usd: priceCents / 100,
        quotas,
        seats,
        features: [...features],
      })),
    }),

    me,
    cap: capOf,

    async balance({ userId }: Caller): Promise<Balance> {
      const { account } = await usage.standingOf(userId)
      return balanceOf(account.balanceMicros)
    },

    /** @throws ApiError 422 for parts of a micro-dollar. */
    async setCap(caller: Caller, { cap_usd }: SetPaygCap): Promise<PaygCap> {
      const capMicros = cap_usd === null ? null : ofUsd(cap_usd)
      if (capMicros === undefined)
        throw new ApiError(422, [
          {
            loc: ['body', 'cap_usd'],
            type: 'value_error',
            msg: 'Input should have at most six decimals',
          },
        ])
      await db.transaction((tx) => accounts.setCap(tx, caller.userId, capMicros))
      return capOf(caller)
    },

    /**
     * Chooses to pay as one goes, or not to, wherever no subscription is live.
     * @throws ApiError 409 for somebody without credits.
     */
    async setPayg(caller: Caller, { enabled }: SetPayg): Promise<BillingMe> {
      await db.transaction((tx) =>
        accounts.change(tx, caller.userId, ({ balanceMicros }) => {
          if (enabled && balanceMicros < cheapest)
            throw new ApiError(409, 'Buy credits first, with POST /api/billing/checkout')
          return { paysAsTheyGo: enabled }
        }),
      )
      return me(caller)
    },
  }
}

const presentCap = (account: { capMicros: number | null; spentMicros: number }): PaygCap => ({
  cap_usd: account.capMicros === null ? null : inUsd(account.capMicros),
  spent_usd: inUsd(account.spentMicros),
})

const presentSubscription = ({ tier, status, periodEnd, cancelsAtPeriodEnd }: Subscription) => ({
  tier,
  status,
  current_period_end: periodEnd === null ? null : new Date(periodEnd * 1000).toISOString(),
  cancel_at_period_end: cancelsAtPeriodEnd,
})
