import { violatedReference } from '../../platform/db/database.ts'
import { commonError } from '../../platform/http/error.ts'

/**
 * A write for an account that is deleted at the same time violates a foreign key. The client receives
 * the 401 that the next request of the account would receive.
 * @returns any other error unchanged.
 */
export const asDeletedUserError = (error: unknown): unknown => {
  const reference = violatedReference(error)
  return reference?.endsWith('_user_id_users_id_fk') ? commonError('bad_credentials') : error
}
