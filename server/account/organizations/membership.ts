import type { Db } from '../../platform/db/database.ts'
import { lockRow } from '../../platform/db/row-locks.ts'
import { commonError } from '../../platform/http/error.ts'
import { lockUserShared } from '../users/lock.ts'
import { lockMemberRow } from './store.ts'
import { orgs } from './table.ts'

/**
 * Keeps a user a member until the end of the transaction. Locks the user, then the organization, then
 * the membership; a transaction that deletes one of them uses the same order.
 * @returns whether the user is a member.
 */
export const lockMembershipIfAny = async (
  tx: Db,
  userId: string,
  orgId: string,
): Promise<boolean> => {
  await lockUserShared(tx, userId)
  await lockRow(tx, orgs, orgId, 'key share')
  return lockMemberRow(tx, orgId, userId)
}

/** Like `lockMembershipIfAny`. @throws ApiError 403 when the user is not a member. */
export const lockMembership = async (tx: Db, userId: string, orgId: string): Promise<void> => {
  if (!(await lockMembershipIfAny(tx, userId, orgId))) throw commonError('not_org_member')
}
