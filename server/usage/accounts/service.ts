import type { TierName } from '../../../shared/tiers.ts'
import type { Db } from '../../platform/db/database.ts'
import { usageError } from '../errors.ts'
import {
  addCredits,
  clearCustomer,
  findAccount,
  lockAccount,
  setCustomer,
  setTier,
  updateAccount,
} from './store.ts'
import type { BillingAccountRow } from './table.ts'

/** Credits of a user, and the tier that follows from their payments. */
export type BillingAccounts = ReturnType<typeof createBillingAccounts>

/** @param paidTier the tier of the best live subscription; undefined without one. */
export const createBillingAccounts = (
  paidTier: (tx: Db, userId: string) => Promise<TierName | undefined>,
  { defaultTier }: { defaultTier: () => TierName },
) => {
  /**
   * Updates an account and the tier of its user: the tier granted by an admin, or of the best live
   * subscription, or payg if it is enabled, or the default.
   * @returns the tier; undefined if the user does not exist.
   */
  const update = async (
    tx: Db,
    userId: string,
    changeOf: (account: BillingAccountRow) => Partial<BillingAccountRow> = () => ({}),
  ): Promise<TierName | undefined> => {
    const account = await lockAccount(tx, userId)
    if (!account) return undefined
    const change = changeOf(account)
    if (Object.keys(change).length) await updateAccount(tx, userId, change)
    const { grantedTier, paysAsTheyGo } = { ...account, ...change }
    const tier =
      grantedTier ?? (await paidTier(tx, userId)) ?? (paysAsTheyGo ? 'payg' : defaultTier())
    await setTier(tx, userId, tier)
    return tier
  }

  return {
    update,
    find: findAccount,

    /** The account must be locked. */
    setCustomer,
    clearCustomer,

    /** Locks a user and their account until the end of the transaction. @returns whether they exist. */
    lock: async (tx: Db, userId: string): Promise<boolean> =>
      (await lockAccount(tx, userId)) !== undefined,

    /** Adds credits, or removes them. The account must be locked. */
    addCredits,

    /** Sets the most to spend in a month; null clears it. */
    async setCap(tx: Db, userId: string, capMicros: number | null): Promise<void> {
      if (await lockAccount(tx, userId)) await updateAccount(tx, userId, { capMicros })
    },

    /**
     * Grants a user a tier that overrides their payments, until null revokes it.
     * @returns the resulting tier and the previously granted one.
     * @throws ApiError 404 if the user does not exist.
     */
    async grantTier(
      tx: Db,
      userId: string,
      grantedTier: TierName | null,
    ): Promise<{ tier: TierName; previousGrant: TierName | null }> {
      let previousGrant: TierName | null = null
      const tier = await update(tx, userId, (account) => {
        previousGrant = account.grantedTier
        return { grantedTier }
      })
      if (!tier) throw usageError('billed_user_not_found')
      return { tier, previousGrant }
    },
  }
}
