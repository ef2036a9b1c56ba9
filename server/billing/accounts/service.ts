import type { TierName } from '../../../shared/schemas/billing.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { SubscriptionService } from '../subscriptions/service.ts'
import {
  addCredits,
  changeAccount,
  findAccount,
  forgetCustomer,
  lockAccount,
  rememberCustomer,
  setTier,
} from './store.ts'
import type { BillingAccountRow } from './table.ts'

export type AccountService = ReturnType<typeof createAccountService>

/** A person's money, and the tier that follows from it. */
export const createAccountService = (
  subscriptions: Pick<SubscriptionService, 'list'>,
  { defaultTier }: { defaultTier: TierName },
) => {
  /**
   * Changes an account and the tier with it: what an admin gave, else the best subscription that is
   * live, else pay as you go where it is chosen, else the default.
   * @returns the tier; undefined when there is no such person.
   */
  const change = async (
    tx: Db,
    userId: string,
    decide: (account: BillingAccountRow) => Partial<BillingAccountRow> = () => ({}),
  ): Promise<TierName | undefined> => {
    const account = await lockAccount(tx, userId)
    if (!account) return undefined
    const changed = decide(account)
    if (Object.keys(changed).length) await changeAccount(tx, userId, changed)
    const { givenTier, paysAsTheyGo } = { ...account, ...changed }
    const [best] = await subscriptions.list(tx, userId)
    const tier =
      givenTier ?? (best?.isLive ? best.tier : undefined) ?? (paysAsTheyGo ? 'payg' : defaultTier)
    await setTier(tx, userId, tier)
    return tier
  }

  return {
    change,

    find: findAccount,

    /** Remembers whom the payment provider knows a person as; the first counts. Their account is held before. */
    rememberCustomer,

    /** Forgets whom the provider knew a person as, and knows no longer. */
    forgetCustomer,

    /** Keeps a person and their account as they are until the end of the transaction. @returns whether they are there. */
    hold: async (tx: Db, userId: string): Promise<boolean> =>
      (await lockAccount(tx, userId)) !== undefined,

    /** Adds to what a person has to spend, or takes from it; their account is locked before. */
    addCredits,

    /** Sets the most that a person may spend a month, or clears it with null. */
    async setCap(tx: Db, userId: string, capMicros: number | null): Promise<void> {
      if (await lockAccount(tx, userId)) await changeAccount(tx, userId, { capMicros })
    },

    /**
     * Gives a person a tier that goes before what they pay for, until it is taken back with null.
     * @returns the tier they have now, and the one that was given before.
     * @throws ApiError 404 when there is no such person.
     */
    async giveTier(
      tx: Db,
      userId: string,
      givenTier: TierName | null,
    ): Promise<{ tier: TierName; givenBefore: TierName | null }> {
      let givenBefore: TierName | null = null
      const tier = await change(tx, userId, (account) => {
        givenBefore = account.givenTier
        return { givenTier }
      })
      if (!tier) throw new ApiError(404, 'User not found')
      return { tier, givenBefore }
    },
  }
}
