import {
  acceptInvite,
  activateOrg,
  changeOrgRole,
  createInvite,
  createOrg,
  deactivateOrg,
  declineInvite,
  deleteOrg,
  getOrg,
  listInvites,
  listOrgMembers,
  listOrgs,
  removeOrgMember,
  updateOrg,
  withdrawInvite,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { InviteService } from './invites.ts'
import type { OrgMemberService } from './members.ts'
import type { OrgService } from './service.ts'

export const orgRoutes = (mount: Mount, orgs: OrgService): void => {
  mount(listOrgs, ({ caller }) => orgs.list(caller))
  mount(createOrg, ({ caller, body }) => orgs.create(caller, body))
  mount(getOrg, ({ caller, params }) => orgs.read(caller, params.org_id))
  mount(updateOrg, ({ caller, params, body }) => orgs.rename(caller, params.org_id, body))
  mount(deleteOrg, async ({ caller, params }) => {
    await orgs.delete(caller, params.org_id)
    return undefined
  })
  mount(activateOrg, ({ caller, params }) => orgs.activate(caller, params.org_id))
  mount(deactivateOrg, async ({ caller }) => {
    await orgs.deactivate(caller)
    return undefined
  })
}

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

export const inviteRoutes = (mount: Mount, invites: InviteService): void => {
  mount(createInvite, ({ caller, params, body }) => invites.create(caller, params.org_id, body))
  mount(listInvites, ({ caller, params }) => invites.list(caller, params.org_id))
  mount(withdrawInvite, async ({ caller, params }) => {
    await invites.withdraw(caller, params.org_id, params.invite_id)
    return undefined
  })
  mount(acceptInvite, ({ caller, body }) => invites.accept(caller, body.token))
  mount(declineInvite, async ({ body }) => {
    await invites.decline(body.token)
    return undefined
  })
}
