import type { TierName } from '../../../shared/tiers.ts'
import { lockUserShared } from '../../account/users/lock.ts'
import type { Db } from '../../platform/db/database.ts'
import { commonError } from '../../platform/http/error.ts'

/** The owner of a reflex, as far as its firings need it. */
export interface ReflexOwner {
  userId: string
  email: string
  tier: TierName
  isVerified: boolean
  isDisabled: boolean
}

/**
 * Keeps a user from being deleted until the end of the transaction. Deleting an account locks the user
 * before the user's rows, so lock the user before several of their rows.
 * @returns undefined for a deleted user.
 */
export const lockReflexOwner = async (tx: Db, userId: string): Promise<ReflexOwner | undefined> => {
  const user = await lockUserShared(tx, userId)
  return (
    user && {
      userId,
      email: user.email,
      tier: user.tier,
      isVerified: user.emailVerified,
      isDisabled: user.disabledAt !== null,
    }
  )
}

/** Locks the user who creates a reflex or a device. @throws ApiError 401 for a deleted user. */
export const lockCreator = async (tx: Db, userId: string): Promise<void> => {
  if (!(await lockReflexOwner(tx, userId))) throw commonError('bad_credentials')
}
