import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'

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
