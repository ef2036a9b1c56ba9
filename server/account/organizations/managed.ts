import type { Db } from '../../platform/db/database.ts'
import type { UserRow } from '../users/table.ts'
import type { IsAdmin } from '../users/user.ts'
import { ownsAddress } from './domains/store.ts'
import { allowsManagedSignIn } from './policies/store.ts'
import { findRole } from './store.ts'

/** Whether SCIM of the organization created the account, at a domain that the organization has verified still. */
export const isManagedBy = async (
  tx: Db,
  orgId: string,
  account: UserRow,
  isAdmin: IsAdmin,
): Promise<boolean> =>
  account.managedByOrgId === orgId &&
  !isAdmin(account) &&
  (await ownsAddress(tx, orgId, account.email))

/**
 * Whether a provider opens an account by its address: an owner of the organization that manages the account allowed
 * it, and the account is a member.
 */
export const isOpenedBy = async (
  tx: Db,
  account: UserRow,
  provider: string,
  isAdmin: IsAdmin,
): Promise<boolean> => {
  const { id, managedByOrgId: orgId } = account
  return (
    orgId !== null &&
    (await allowsManagedSignIn(tx, orgId, provider)) &&
    (await isManagedBy(tx, orgId, account, isAdmin)) &&
    (await findRole(tx, orgId, id)) !== undefined
  )
}
