import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import {
  ChangeRole,
  CreateInvite,
  CreateOrganization,
  InviteToken,
  Organization,
  OrgInvite,
  OrgMember,
  UpdateOrganization,
} from '../schemas/orgs.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Organizations'
const params = Type.Object({ org_id: Uuid() })
const memberParams = Type.Object({ org_id: Uuid(), user_id: Uuid() })
const inviteParams = Type.Object({ org_id: Uuid(), invite_id: Uuid() })

export const listOrgs = endpoint({
  name: 'listOrgs',
  method: 'GET',
  path: '/api/orgs',
  tag,
  summary: 'The organizations that the caller is a member of',
  credential: 'bearer',
  success: [200, Type.Array(Organization)],
})

export const createOrg = endpoint({
  name: 'createOrg',
  method: 'POST',
  path: '/api/orgs',
  tag,
  summary: 'Found an organization; the caller is its owner',
  credential: 'bearer',
  body: CreateOrganization,
  success: [201, Organization],
  errors: [403, 409],
})

export const getOrg = endpoint({
  name: 'getOrg',
  method: 'GET',
  path: '/api/orgs/{org_id}',
  tag,
  summary: 'An organization of the caller’s',
  credential: 'bearer',
  params,
  success: [200, Organization],
  errors: [403],
})

export const updateOrg = endpoint({
  name: 'updateOrg',
  method: 'PATCH',
  path: '/api/orgs/{org_id}',
  tag,
  summary: 'Rename an organization; for owners',
  credential: 'bearer',
  params,
  body: UpdateOrganization,
  success: [200, Organization],
  errors: [403],
})

export const deleteOrg = endpoint({
  name: 'deleteOrg',
  method: 'DELETE',
  path: '/api/orgs/{org_id}',
  tag,
  summary: 'Delete an organization, its keys and all of its memories for good; for owners',
  credential: 'jwt',
  params,
  success: [204, null],
  errors: [403],
})

export const activateOrg = endpoint({
  name: 'activateOrg',
  method: 'POST',
  path: '/api/orgs/{org_id}/activate',
  tag,
  summary: 'Act in an organization from now on where a signed-in request names none',
  credential: 'bearer',
  params,
  success: [200, Organization],
  errors: [403],
})

export const deactivateOrg = endpoint({
  name: 'deactivateOrg',
  method: 'POST',
  path: '/api/orgs/deactivate',
  tag,
  summary: 'Act for oneself again where a signed-in request names no organization',
  credential: 'bearer',
  success: [204, null],
  errors: [403],
})

export const listOrgMembers = endpoint({
  name: 'listOrgMembers',
  method: 'GET',
  path: '/api/orgs/{org_id}/members',
  tag,
  summary: 'Who is in an organization, in the order in which they joined',
  credential: 'bearer',
  params,
  success: [200, Type.Array(OrgMember)],
  errors: [403],
})

export const changeOrgRole = endpoint({
  name: 'changeOrgRole',
  method: 'PATCH',
  path: '/api/orgs/{org_id}/members/{user_id}',
  tag,
  summary:
    'Change what a member may do; for owners, and for admins as far as no owner is concerned',
  credential: 'bearer',
  params: memberParams,
  body: ChangeRole,
  success: [200, OrgMember],
  errors: [403, 404, 409],
})

export const removeOrgMember = endpoint({
  name: 'removeOrgMember',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/members/{user_id}',
  tag,
  summary: 'Leave an organization, or remove somebody from it with their keys of it',
  credential: 'bearer',
  params: memberParams,
  success: [204, null],
  errors: [403, 404, 409],
})

export const createInvite = endpoint({
  name: 'createInvite',
  method: 'POST',
  path: '/api/orgs/{org_id}/invites',
  tag,
  summary: 'Invite somebody by mail; an open invite to the same address is replaced',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  body: CreateInvite,
  success: [201, OrgInvite],
  errors: [402, 403, 409, 429],
})

export const listInvites = endpoint({
  name: 'listInvites',
  method: 'GET',
  path: '/api/orgs/{org_id}/invites',
  tag,
  summary: 'The invites that wait for an answer; for owners and admins',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, Type.Array(OrgInvite)],
  errors: [403],
})

export const withdrawInvite = endpoint({
  name: 'withdrawInvite',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/invites/{invite_id}',
  tag,
  summary: 'Withdraw an invite: its link is no longer good',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params: inviteParams,
  success: [204, null],
  errors: [403, 404],
})

export const acceptInvite = endpoint({
  name: 'acceptInvite',
  method: 'POST',
  path: '/api/invites/accept',
  tag,
  summary: 'Join the organization of an invite to the caller’s address',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: InviteToken,
  success: [200, Organization],
  errors: [402, 403, 409, 410],
})

export const declineInvite = endpoint({
  name: 'declineInvite',
  method: 'POST',
  path: '/api/invites/decline',
  tag,
  summary: 'Decline an invite; whoever has its link may',
  credential: 'none',
  body: InviteToken,
  success: [204, null],
  errors: [410],
})
