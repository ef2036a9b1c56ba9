import type { Db } from '../../platform/db/database.ts'
import { lockRow } from '../../platform/db/locks.ts'
import { commonError } from '../../platform/http/error.ts'
import { lockUserShared } from '../users/lock.ts'
import { orgError } from './errors.ts'
import { deleteInvitesTo } from './invites/store.ts'
import {
  changeRole,
  countMembers,
  deleteMember,
  deleteOrg,
  findRole,
  hasOtherOwner,
  listMembers,
  listOrgIdsOfUser,
  lockMemberRow,
  lockOrg,
  lockOrgForDelete,
} from './store.ts'
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

/** Revokes credentials of one kind that a user has for an organization. */
type RevokeInOrg = (tx: Db, orgId: string, userId: string) => Promise<void>

export type EndMembership = (tx: Db, orgId: string, userId: string) => Promise<void>

/** Ends a membership and then the credentials that depend on it. */
export const createEndMembership =
  (revocations: readonly RevokeInOrg[]): EndMembership =>
  async (tx, orgId, userId) => {
    await deleteMember(tx, orgId, userId)
    for (const revoke of revocations) await revoke(tx, orgId, userId)
  }

/** Erases the data that another domain stores for an organization. */
export type EraseOrgData = (tx: Db, orgId: string) => Promise<void>

/** The organizations that another domain stores data of a user for, in the order of their ids. */
export type OrgsWrittenFor = (tx: Db, userId: string) => Promise<string[]>

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
export const createLeaveOrgs = (
  eraseData: EraseOrgData,
  endMembership: EndMembership,
  orgsWrittenFor: OrgsWrittenFor,
) => {
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
    const own = await listOrgIdsOfUser(tx, user.id)
    // Those left before are locked too, because the author of memories changes there.
    for (const orgId of await orgsWrittenFor(tx, user.id))
      if (!own.includes(orgId)) await lockOrg(tx, orgId)
    for (const orgId of own) await leave(tx, user.id, orgId)
    await deleteInvitesTo(tx, user)
  }
}

/**
 * For an account that another person may have created: leaves the organizations with other members, of which
 * one becomes an owner where there is no other, and ends what acts for those without.
 * @param endAccess of an organization: its invites, webhooks and tokens of identity providers.
 */
export const createReleaseOrgs =
  (endMembership: EndMembership, endAccess: (tx: Db, orgId: string) => Promise<void>) =>
  /** @returns the organizations of which the user stays the only member. */
  async (tx: Db, userId: string): Promise<string[]> => {
    const kept: string[] = []
    for (const orgId of await listOrgIdsOfUser(tx, userId)) {
      if (!(await lockOrgForDelete(tx, orgId))) continue
      const others = (await listMembers(tx, orgId)).filter((member) => member.userId !== userId)
      const successor = others.find(({ role }) => role === 'admin') ?? others[0]
      if (!successor) {
        await endAccess(tx, orgId)
        kept.push(orgId)
        continue
      }
      if (!(await hasOtherOwner(tx, orgId, userId)))
        await changeRole(tx, orgId, successor.userId, 'owner')
      await endMembership(tx, orgId, userId)
    }
    return kept
  }
