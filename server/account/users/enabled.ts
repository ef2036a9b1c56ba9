import { ApiError } from '../../platform/http/error.ts'
import type { UserRow } from './table.ts'

/** @throws ApiError 403 for a user whom an admin keeps out; said only to who has proved to be them. */
export const checkEnabled = (user: Pick<UserRow, 'disabledAt'>): void => {
  if (user.disabledAt) throw new ApiError(403, 'This account is disabled')
}
