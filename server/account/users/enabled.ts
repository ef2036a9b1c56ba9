import { userError } from './errors.ts'
import type { UserRow } from './table.ts'

/**
 * Call it only for a user who has proved who they are, because the error reveals that the account exists.
 * @throws ApiError 403 for a user that an admin has disabled.
 */
export const checkEnabled = (user: Pick<UserRow, 'disabledAt'>): void => {
  if (user.disabledAt) throw userError('account_disabled')
}
