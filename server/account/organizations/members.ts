import { changeOrgRole, listOrgMembers, removeOrgMember } from '../../../shared/contract/index.ts'
import type { ChangeRole, OrgMember, OrgRole } from '../../../shared/contract/organizations.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { commonError } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { insertFormerMember } from './domains/store.ts'
import { orgError } from './errors.ts'
import { deleteInvitesBy } from './invites/store.ts'
import type { EndMembership } from './membership.ts'
import {
  checkKeyScope,
  checkRemoval,
  checkRoleChange,
  lockOrgAsMember,
  recordOrgAudit,
} from './rights.ts'
import { changeRole, findRole, hasOtherOwner, listMembers, type Member } from './store.ts'

export type OrgMemberService = ReturnType<typeof createOrgMemberService>

export const createOrgMemberService = ({ db }: Database, endMembership: EndMembership) => ({
  /** @throws ApiError 403 when the caller is not a member or the organization does not exist. */
  async list(caller: Caller, orgId: string): Promise<OrgMember[]> {
    checkKeyScope(caller, orgId)
    const members = await listMembers(db, orgId)
    if (!members.some(({ userId }) => userId === caller.userId)) throw commonError('not_org_member')
    return members.map(presentMember)
  },

  /**
   * @throws ApiError 403 for a change that the caller's role does not allow, 404 for no such member, 409
   * for the last owner.
   */
  async changeRole(
    caller: Caller,
    orgId: string,
    userId: string,
    { role: to }: ChangeRole,
  ): Promise<OrgMember> {
    return db.transaction(async (tx) => {
      const { role: actor } = await lockOrgAsMember(tx, caller, orgId)
      const from = await findRole(tx, orgId, userId)
      checkRoleChange(actor, from ?? 'member', to)
      if (!from) throw orgError('org_member_not_found')
      if (to !== 'owner') await checkNotLastOwner(tx, orgId, userId, from)
      if (from !== to) {
        await changeRole(tx, orgId, userId, to)
        if (to === 'member') await deleteInvitesBy(tx, orgId, userId)
        const entry = {
          by: caller.userId,
          concerns: [userId],
          details: { user_id: userId, from, to },
        }
        await recordOrgAudit(tx, 'org.role_changed', orgId, entry)
      }
      const [member] = await listMembers(tx, orgId, userId)
      if (!member) throw orgError('org_member_not_found')
      return presentMember(member)
    })
  },

  /**
   * Ends a membership with its credentials and the open invites of the member, who joins again by an invite
   * only.
   * @throws ApiError as `changeRole` does.
   */
  async remove(caller: Caller, orgId: string, userId: string): Promise<void> {
    await db.transaction(async (tx) => {
      const { role: actor } = await lockOrgAsMember(tx, caller, orgId)
      const [member] = await listMembers(tx, orgId, userId)
      if (userId.toLowerCase() !== caller.userId) checkRemoval(actor, member?.role ?? 'member')
      if (!member) throw orgError('org_member_not_found')
      await checkNotLastOwner(tx, orgId, userId, member.role)
      await endMembership(tx, orgId, userId)
      // Otherwise the member could return by an invite to an own second address.
      await deleteInvitesBy(tx, orgId, userId)
      await insertFormerMember(tx, orgId, member.user.email)
      const entry = { by: caller.userId, concerns: [userId], details: { user_id: userId } }
      await recordOrgAudit(tx, 'org.member_removed', orgId, entry)
    })
  },
})

/** @throws ApiError 409 for the only owner. */
export const checkNotLastOwner = async (
  tx: Db,
  orgId: string,
  userId: string,
  role: OrgRole,
): Promise<void> => {
  if (role === 'owner' && !(await hasOtherOwner(tx, orgId, userId)))
    throw orgError('org_owner_missing')
}

const presentMember = ({ user, ...member }: Member): OrgMember => ({
  user_id: member.userId,
  username: user.username,
  display_name: user.displayName,
  email: user.email,
  avatar_url: user.avatarUrl,
  role: member.role,
  joined_at: member.joinedAt.toISOString(),
})

export const orgMemberRoutes = (mount: Mount, members: OrgMemberService): void => {
  mount(listOrgMembers, ({ caller, params }) => members.list(caller, params.org_id))
  mount(changeOrgRole, ({ caller, params, body }) =>
    members.changeRole(caller, params.org_id, params.user_id, body),
  )
  mount(removeOrgMember, async ({ caller, params }) => {
    await members.remove(caller, params.org_id, params.user_id)
    return undefined
  })
}
