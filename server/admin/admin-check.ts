import type { IsAdmin } from '../account/users/user.ts'
import type { Db } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { userAdminError } from './errors.ts'
import { lockAdministeredUser } from './users-store.ts'

/**
 * Another admin may have revoked the caller's rights while the request waited.
 * @throws ApiError 403 if the caller is no longer an admin.
 */
export const requireAdmin = async (
  tx: Db,
  { userId }: Pick<Caller, 'userId'>,
  isAdmin: IsAdmin,
): Promise<void> => {
  const user = await lockAdministeredUser(tx, userId)
  if (!user || user.disabledAt || !isAdmin(user)) throw userAdminError('admin_revoked')
}
