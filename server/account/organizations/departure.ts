import type { Db } from '../../platform/db/database.ts'
import type { EndMembership } from './ending.ts'
import { orgError } from './errors.ts'
import { deleteInvitesTo } from './invites/store.ts'
import {
  countMembers,
  deleteOrg,
  findRole,
  hasOtherOwner,
  listOrgIdsOfUser,
  lockOrg,
  lockOrgForDelete,
} from './store.ts'

/** Erases the data that another domain stores for an organization. */
export type EraseOrgData = (tx: Db, orgId: string) => Promise<void>

/** Deletes an organization that is locked by `lockOrgForDelete`. */
export const eraseOrg = async (tx: Db, orgId: string, eraseData: EraseOrgData): Promise<void> => {
  await eraseData(tx, orgId)
  await deleteOrg(tx, orgId)
}

/**
 * Ends the memberships of a user whose account is being deleted and is locked. Organizations without
 * other members are deleted.
 * @throws ApiError 409 for the only owner of an organization with other members.
 */
export const createLeaveOrgs = (eraseData: EraseOrgData, endMembership: EndMembership) => {
  const leave = async (tx: Db, userId: string, orgId: string): Promise<void> => {
    const isAlone = async () => (await countMembers(tx, orgId)) === 1
    // An organization that stays is locked so that its members can still write. One that is deleted
    // needs its exclusive advisory lock before the row lock.
    const org = await ((await isAlone()) ? lockOrgForDelete : lockOrg)(tx, orgId)
    const role = org && (await findRole(tx, orgId, userId))
    if (!role) return
    if (await isAlone()) {
      await lockOrgForDelete(tx, orgId)
      return eraseOrg(tx, orgId, eraseData)
    }
    if (role === 'owner' && !(await hasOtherOwner(tx, orgId, userId)))
      throw orgError('sole_org_owner', org.name)
    await endMembership(tx, orgId, userId)
  }

  return async (tx: Db, user: { id: string; email: string }): Promise<void> => {
    for (const orgId of await listOrgIdsOfUser(tx, user.id)) await leave(tx, user.id, orgId)
    await deleteInvitesTo(tx, user)
  }
}
