import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { missing } from './organization-policies.ts'

export const OrgRole = OneOf(['owner', 'admin', 'member'])
export type OrgRole = Static<typeof OrgRole>

export const Organization = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    role: OneOf(['owner', 'admin', 'member'], { description: 'The role of the caller.' }),
    is_active: Type.Boolean({
      description: 'Whether this is the default organization of the caller’s requests.',
    }),
    seats: Type.Object({
      used: Type.Integer({ description: 'Members and pending invites.' }),
      limit: Nullable(Type.Integer(), {
        description: 'Determined by the highest tier among the owners; null means no limit.',
      }),
    }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    missing: Type.Optional(missing),
  },
  { $id: 'Organization' },
)
export type Organization = Static<typeof Organization>

const name = Type.String({ trim: true, minLength: 1, maxLength: 100, examples: ['Analytics'] })

export const CreateOrganization = Type.Object({ name })
export type CreateOrganization = Static<typeof CreateOrganization>

export const UpdateOrganization = Type.Object({ name })
export type UpdateOrganization = Static<typeof UpdateOrganization>

export const OrgMember = Type.Object(
  {
    user_id: Uuid(),
    username: Type.String(),
    display_name: Nullable(Type.String()),
    email: Type.String(),
    avatar_url: Nullable(Type.String()),
    role: OrgRole,
    joined_at: Timestamp(),
  },
  { $id: 'OrgMember' },
)
export type OrgMember = Static<typeof OrgMember>

export const ChangeRole = Type.Object({ role: OrgRole }, { examples: [{ role: 'admin' }] })
export type ChangeRole = Static<typeof ChangeRole>

const tag = 'Organizations'
const params = Type.Object({ org_id: Uuid() })

const memberParams = Type.Object({ org_id: Uuid(), user_id: Uuid() })

export const listOrgs = endpoint({
  name: 'listOrgs',
  method: 'GET',
  path: '/api/orgs',
  tag,
  summary: 'List the organizations of the caller',
  credential: 'bearer',
  success: [200, Type.Array(Organization)],
})

export const createOrg = endpoint({
  name: 'createOrg',
  method: 'POST',
  path: '/api/orgs',
  tag,
  summary: 'Create an organization; the caller becomes its owner',
  credential: 'bearer',
  body: CreateOrganization,
  success: [201, Organization],
  affects: ['listOrgs'],
  errors: { 403: ['org_key_not_allowed'], 409: ['cap_reached'] },
})

export const getOrg = endpoint({
  name: 'getOrg',
  method: 'GET',
  path: '/api/orgs/{org_id}',
  tag,
  summary: 'Get an organization of the caller',
  credential: 'bearer',
  params,
  success: [200, Organization],
  errors: { 403: ['not_org_member'] },
})

export const updateOrg = endpoint({
  name: 'updateOrg',
  method: 'PATCH',
  path: '/api/orgs/{org_id}',
  tag,
  summary: 'Rename an organization (owners only)',
  credential: 'bearer',
  params,
  body: UpdateOrganization,
  success: [200, Organization],
  affects: ['getOrg', 'listOrgs', 'me'],
  errors: { 403: ['not_org_member', 'org_owner_required'] },
})

export const deleteOrg = endpoint({
  name: 'deleteOrg',
  method: 'DELETE',
  path: '/api/orgs/{org_id}',
  tag,
  summary: 'Delete an organization with its API keys and memories permanently (owners only)',
  credential: 'bearer',
  params,
  success: [204, null],
  affects: ['listOrgs', 'me'],
  errors: { 403: ['not_org_member', 'org_key_not_allowed', 'org_owner_required'] },
})

export const activateOrg = endpoint({
  name: 'activateOrg',
  method: 'POST',
  path: '/api/orgs/{org_id}/activate',
  tag,
  summary: 'Make an organization the default for requests that name none',
  credential: 'bearer',
  params,
  success: [200, Organization],
  affects: ['getOrg', 'listOrgs', 'me'],
  errors: { 403: ['not_org_member', 'org_key_not_allowed'] },
})

export const deactivateOrg = endpoint({
  name: 'deactivateOrg',
  method: 'POST',
  path: '/api/orgs/deactivate',
  tag,
  summary: 'Clear the default organization',
  credential: 'bearer',
  success: [204, null],
  affects: ['getOrg', 'listOrgs', 'me'],
  errors: { 403: ['org_key_not_allowed'] },
})

export const listOrgMembers = endpoint({
  name: 'listOrgMembers',
  method: 'GET',
  path: '/api/orgs/{org_id}/members',
  tag,
  summary: 'List the members of an organization in the order in which they joined',
  credential: 'bearer',
  params,
  success: [200, Type.Array(OrgMember)],
  errors: { 403: ['not_org_member'] },
})

export const changeOrgRole = endpoint({
  name: 'changeOrgRole',
  method: 'PATCH',
  path: '/api/orgs/{org_id}/members/{user_id}',
  tag,
  summary: 'Change the role of a member (owners; admins only between admin and member)',
  credential: 'bearer',
  params: memberParams,
  body: ChangeRole,
  success: [200, OrgMember],
  affects: ['listOrgMembers', 'getOrg', 'me'],
  errors: {
    403: ['not_org_member', 'org_manager_required', 'org_owner_required'],
    404: ['org_member_not_found'],
    409: ['org_owner_missing'],
  },
})

export const removeOrgMember = endpoint({
  name: 'removeOrgMember',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/members/{user_id}',
  tag,
  summary: 'Remove a member and their API keys of the organization, or leave it',
  credential: 'bearer',
  params: memberParams,
  success: [204, null],
  affects: ['listOrgMembers', 'listInvites', 'getOrg', 'listOrgs', 'me'],
  errors: {
    403: ['not_org_member', 'org_manager_required', 'org_owner_required'],
    404: ['org_member_not_found'],
    409: ['org_owner_missing'],
  },
})
