import { violatedReference } from '../../platform/db/database.ts'
import { commonError, defineErrors } from '../../platform/http/error.ts'

export const userError = defineErrors({
  invalid_email: { status: 400, detail: 'Invalid email address' },
  disposable_email: { status: 400, detail: 'Disposable email addresses are not allowed' },
  unreachable_email: {
    status: 400,
    detail:
      'The mail server of this service reaches only addresses with a to z, digits and signs before the @',
  },
  email_taken: { status: 409, detail: 'Email already registered' },
  common_password: {
    status: 400,
    detail: 'This password is among the 10,000 most common; choose another one',
  },
  account_disabled: { status: 403, detail: 'This account is disabled' },
  user_not_found: { status: 404, detail: 'User not found' },
})

/**
 * A write for an account that is deleted at the same time violates a foreign key. The client receives
 * the 401 that the next request of the account would receive.
 * @returns any other error unchanged.
 */
export const asDeletedUserError = (error: unknown): unknown => {
  const reference = violatedReference(error)
  return reference?.endsWith('_user_id_users_id_fk') ? commonError('bad_credentials') : error
}
