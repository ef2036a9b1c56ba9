import { errorText } from '../../../shared/errors.ts'
import { violatedReference } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'

/**
 * What is written for somebody whose account is deleted at that moment is refused by the database, and
 * they are told what they are told from the next request on.
 * @returns any other error as it is.
 */
export const refusedAsGone = (error: unknown): unknown => {
  const reference = violatedReference(error)
  return reference?.endsWith('_user_id_users_id_fk')
    ? new ApiError(401, errorText.badCredentials, { cause: { reference } })
    : error
}
