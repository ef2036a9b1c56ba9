import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { missing } from './organization-policies.ts'

export const OrgRole = OneOf(['owner', 'admin', 'member'])
export type OrgRole = Static<typeof OrgRole>

/** Owners cannot be invited; an owner promotes a member. */
const INVITED_ROLES = ['admin', 'member'] as const

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

export const CreateInvite = Type.Object({
  email: Type.String({ trim: true, maxLength: 255, examples: ['ben@example.com'] }),
  role: withDefault(OneOf(INVITED_ROLES), 'member'),
})
export type CreateInvite = Static<typeof CreateInvite>

export const OrgInvite = Type.Object(
  {
    id: Uuid(),
    email: Type.String(),
    role: Type.String({ examples: [...INVITED_ROLES] }),
    created_at: Timestamp(),
    expires_at: Timestamp({ description: 'Seven days after creation.' }),
    invite_url: Type.String({
      format: 'uri',
      description: 'The link in the email. It opens the page where the invited user joins.',
    }),
  },
  { $id: 'OrgInvite' },
)
export type OrgInvite = Static<typeof OrgInvite>

export const InviteToken = Type.Object({
  token: Type.String({
    minLength: 1,
    description: 'The token from the invite link.',
    examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'],
  }),
})
export type InviteToken = Static<typeof InviteToken>

const tag = 'Organizations'
const params = Type.Object({ org_id: Uuid() })

const memberParams = Type.Object({ org_id: Uuid(), user_id: Uuid() })
const inviteParams = Type.Object({ org_id: Uuid(), invite_id: Uuid() })

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
  credential: 'jwt',
  params,
  success: [204, null],
  affects: ['listOrgs', 'me'],
  errors: { 403: ['not_org_member', 'org_owner_required'] },
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

export const createInvite = endpoint({
  name: 'createInvite',
  method: 'POST',
  path: '/api/orgs/{org_id}/invites',
  tag,
  summary: 'Invite a user by email; replaces a pending invite to the same address',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  body: CreateInvite,
  success: [201, OrgInvite],
  affects: ['listInvites', 'getOrg'],
  errors: {
    402: ['no_seat_to_invite'],
    403: ['not_org_member', 'org_manager_required'],
    409: ['already_org_member'],
    429: ['invites_per_recipient_rate_limited', 'invites_per_user_rate_limited'],
  },
})

export const listInvites = endpoint({
  name: 'listInvites',
  method: 'GET',
  path: '/api/orgs/{org_id}/invites',
  tag,
  summary: 'List the pending invites (owners and admins)',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, Type.Array(OrgInvite)],
  errors: { 403: ['not_org_member', 'org_manager_required'] },
})

export const withdrawInvite = endpoint({
  name: 'withdrawInvite',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/invites/{invite_id}',
  tag,
  summary: 'Withdraw an invite; its link stops working',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params: inviteParams,
  success: [204, null],
  affects: ['listInvites', 'getOrg'],
  errors: { 403: ['not_org_member', 'org_manager_required'], 404: ['invite_not_found'] },
})

export const acceptInvite = endpoint({
  name: 'acceptInvite',
  method: 'POST',
  path: '/api/invites/accept',
  tag,
  summary: 'Accept an invite that was sent to the caller’s email address',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: InviteToken,
  success: [200, Organization],
  errors: {
    402: ['no_seat_to_join'],
    403: ['invite_for_other_address', 'org_key_not_allowed'],
    409: ['cap_reached'],
    410: ['invite_not_open'],
  },
})

export const declineInvite = endpoint({
  name: 'declineInvite',
  method: 'POST',
  path: '/api/invites/decline',
  tag,
  summary: 'Decline an invite; needs only the token of its link',
  credential: 'none',
  body: InviteToken,
  success: [204, null],
  errors: { 410: ['invite_not_open'] },
})
