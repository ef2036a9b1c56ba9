import type { OrgRole } from '../../../shared/contract/organizations.ts'
import type { Db } from '../../platform/db/database.ts'
import { findUserByEmail } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import { deleteFormerMember, insertFormerMember, ownsAddress } from './domains/store.ts'
import { deleteInvitesBy, deleteReplacedInvites, findOpenInvite } from './invites/store.ts'
import { checkNotLastOwner } from './members.ts'
import type { EndMembership } from './membership.ts'
import { checkSeatToInvite, type SeatsOf } from './seats.ts'
import { checkMemberships } from './service.ts'
import { deactivate, findRole, findSeatUse, insertMember, listMembers, lockOrg } from './store.ts'

/** The memberships that a directory of users decides. The account and the organization must be locked. */
export type DirectoryMembers = ReturnType<typeof createDirectoryMembers>

export const createDirectoryMembers = (seatsOf: SeatsOf, endMembership: EndMembership) => ({
  lockOrg,
  findAccount: findUserByEmail,

  /** Whether the organization has verified the domain of an address. */
  ownsAddress,

  isMember: async (tx: Db, orgId: string, userId: string): Promise<boolean> =>
    (await findRole(tx, orgId, userId)) !== undefined,

  isInvited: async (tx: Db, orgId: string, email: string): Promise<boolean> =>
    (await findOpenInvite(tx, orgId, email)) !== undefined,

  /** The ids of the owners. */
  listOwners: async (tx: Db, orgId: string): Promise<string[]> =>
    (await listMembers(tx, orgId)).flatMap(({ role, userId }) => (role === 'owner' ? userId : [])),

  /**
   * Makes an account a member, in the role that an open invite of the address gives.
   * @param email the address in the directory.
   * @throws ApiError 402 without a free seat, 409 for an account that is in too many organizations.
   */
  async admit(tx: Db, orgId: string, account: UserRow, email: string): Promise<OrgRole> {
    const role = (await findOpenInvite(tx, orgId, email))?.role ?? 'member'
    await deleteReplacedInvites(tx, orgId, email)
    const seats = await findSeatUse(tx, orgId)
    if (seats) checkSeatToInvite(seats, seatsOf)
    await checkMemberships(tx, account.id)
    await insertMember(tx, { orgId, userId: account.id, role })
    await deactivate(tx, account.id, orgId)
    await deleteFormerMember(tx, orgId, account.email)
    return role
  },

  /**
   * Ends the membership of an account, and the invites of the address.
   * @param email the address in the directory.
   * @returns whether the account was a member.
   * @throws ApiError 409 for the last owner.
   */
  async remove(
    tx: Db,
    orgId: string,
    account: UserRow | undefined,
    email: string,
  ): Promise<boolean> {
    await deleteReplacedInvites(tx, orgId, email)
    await insertFormerMember(tx, orgId, account?.email ?? email)
    const role = account && (await findRole(tx, orgId, account.id))
    if (!role) return false
    await checkNotLastOwner(tx, orgId, account.id, role)
    await endMembership(tx, orgId, account.id)
    await deleteInvitesBy(tx, orgId, account.id)
    return true
  },
})
