import { type Static, Type } from '@sinclair/typebox'
import { OneOf, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Organization } from './organizations.ts'

/** Owners cannot be invited; an owner promotes a member. */
const INVITED_ROLES = ['admin', 'member'] as const

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
const inviteParams = Type.Object({ org_id: Uuid(), invite_id: Uuid() })

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
