import type { ChangeRole, OrgMember } from '../../../shared/schemas/orgs.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { notOrgMember } from './acting.ts'
import { type Accounts, checkReach, endMembership, enter, noting } from './entry.ts'
import { deleteInvitesBy } from './invites-store.ts'
import { presentMember } from './present.ts'
import { checkRemoval, checkRoleChange } from './roles.ts'
import { changeRole, findRole, hasOtherOwner, listMembers } from './store.ts'

export type OrgMemberService = ReturnType<typeof createOrgMemberService>

export const createOrgMemberService = ({ db }: Database, accounts: Accounts) => {
  const note = noting(accounts)

  return {
    /** @throws ApiError 403 for an organization that the caller is not in, or that is not there. */
    async list(caller: Caller, orgId: string): Promise<OrgMember[]> {
      checkReach(caller, orgId)
      const members = await listMembers(db, orgId)
      if (!members.some(({ userId }) => userId === caller.userId)) throw notOrgMember()
      return members.map(presentMember)
    },

    /**
     * @throws ApiError 403 for whoever may not change this role to that one, 404 for no such member, 409
     * when nobody would be left as owner.
     */
    async changeRole(caller: Caller, orgId: string, userId: string, { role: to }: ChangeRole) {
      return db.transaction(async (tx) => {
        const { role: actor } = await enter(tx, caller, orgId)
        const from = await findRole(tx, orgId, userId)
        checkRoleChange(actor, from ?? 'member', to)
        if (!from) throw notFound()
        if (from === 'owner' && to !== 'owner') await checkOtherOwner(tx, orgId, userId)
        if (from !== to) {
          await changeRole(tx, orgId, userId, to)
          if (to === 'member') await deleteInvitesBy(tx, orgId, userId)
          const details = { user_id: userId, from, to }
          await note(tx, 'org.role_changed', orgId, { by: caller.userId, of: [userId], details })
        }
        const [member] = await listMembers(tx, orgId, userId)
        if (!member) throw notFound()
        return presentMember(member)
      })
    },

    /**
     * Ends a membership with the keys of it, which are refused from the next request on, and the invites
     * that they made and nobody has answered.
     * @throws ApiError as `changeRole`.
     */
    async remove(caller: Caller, orgId: string, userId: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { role: actor } = await enter(tx, caller, orgId)
        const target = await findRole(tx, orgId, userId)
        if (userId.toLowerCase() !== caller.userId) checkRemoval(actor, target ?? 'member')
        if (!target) throw notFound()
        if (target === 'owner') await checkOtherOwner(tx, orgId, userId)
        await endMembership(tx, accounts, orgId, userId)
        // Else they could come back by one that they keep for themselves.
        await deleteInvitesBy(tx, orgId, userId)
        const details = { user_id: userId }
        await note(tx, 'org.member_removed', orgId, { by: caller.userId, of: [userId], details })
      })
    },
  }
}

const checkOtherOwner = async (tx: Db, orgId: string, userId: string): Promise<void> => {
  if (!(await hasOtherOwner(tx, orgId, userId)))
    throw new ApiError(
      409,
      'An organization needs an owner: make another member one first, or delete the organization',
    )
}

const notFound = () => new ApiError(404, 'Member not found')
