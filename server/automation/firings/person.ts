import { errorText } from '../../../shared/errors.ts'
import type { TierName } from '../../../shared/schemas/billing.ts'
import { holdUser } from '../../account/users/hold.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'

/** Whose reflexes they are: what firing them needs to know. */
export interface Person {
  userId: string
  email: string
  tier: TierName
  isVerified: boolean
  isDisabled: boolean
}

/**
 * Keeps a person from being deleted until the end of a transaction. Whoever deletes an account locks
 * it first and then what belongs to it, so what locks several rows of a person's holds them before.
 * @returns undefined when they are gone.
 */
export const holdPerson = async (tx: Db, userId: string): Promise<Person | undefined> => {
  const user = await holdUser(tx, userId)
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

/** Holds whoever makes something of theirs. @throws ApiError 401 when they were deleted meanwhile. */
export const holdMaker = async (tx: Db, userId: string): Promise<void> => {
  if (!(await holdPerson(tx, userId))) throw new ApiError(401, errorText.badCredentials)
}
