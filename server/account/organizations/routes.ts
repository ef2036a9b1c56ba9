import {
  activateOrg,
  changeOrgRole,
  createOrg,
  deactivateOrg,
  deleteOrg,
  getOrg,
  listOrgMembers,
  listOrgs,
  removeOrgMember,
  updateOrg,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
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
