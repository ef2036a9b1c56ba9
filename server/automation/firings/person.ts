import { errorText } from '../../../shared/errors.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { sharesTurn } from '../../platform/db/turns.ts'
import { ApiError } from '../../platform/http/error.ts'

/** Whose reflexes they are: what firing them needs to know. */
export interface Person {
  userId: string
  email: string
  tier: 'amnesiac' | 'awakened' | 'conscious' | 'payg'
  isVerified: boolean
  isDisabled: boolean
}

const HOLD = `
select email, tier, email_verified, disabled_at is not null as is_disabled
from users where id = $1 and ${sharesTurn('id')} for key share`

/**
 * Keeps a person from being deleted until the end of a transaction. Whoever deletes an account locks
 * it first and then what belongs to it, so what locks several rows of a person's holds them before.
 * @returns undefined when they are gone.
 */
export const holdPerson = async (
  database: Pick<Database, 'queryIn'>,
  tx: Db,
  userId: string,
): Promise<Person | undefined> => {
  const [row] = await database.queryIn(tx)<{
    email: string
    tier: Person['tier']
    email_verified: boolean
    is_disabled: boolean
  }>(HOLD, [userId])
  return (
    row && {
      userId,
      email: row.email,
      tier: row.tier,
      isVerified: row.email_verified,
      isDisabled: row.is_disabled,
    }
  )
}

/** Holds whoever makes something of theirs. @throws ApiError 401 when they were deleted meanwhile. */
export const holdMaker = async (
  database: Pick<Database, 'queryIn'>,
  tx: Db,
  userId: string,
): Promise<void> => {
  if (!(await holdPerson(database, tx, userId))) throw new ApiError(401, errorText.badCredentials)
}
