import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Tokens of one organization. */
export const MAX_SCIM_TOKENS = 10

export const CreateScimToken = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    trim: true,
    description: 'A label, such as the name of the identity provider.',
    examples: ['Okta'],
  }),
  expires_at: Type.Optional(
    Nullable(Timestamp(), { description: 'When the token expires; must be in the future.' }),
  ),
})
export type CreateScimToken = Static<typeof CreateScimToken>

export const ScimToken = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp({ description: 'Updated at most once a minute.' })),
    expires_at: Nullable(Timestamp()),
  },
  { $id: 'ScimToken' },
)
export type ScimToken = Static<typeof ScimToken>

export const NewScimToken = Type.Object({
  ...ScimToken.properties,
  token: Type.String({
    description: 'The credential. It is returned only once.',
    examples: ['svc_scim_…'],
  }),
})
export type NewScimToken = Static<typeof NewScimToken>

export const ScimOverview = Type.Object(
  {
    base_url: Type.String({
      description: 'The address that the identity provider needs.',
      examples: ['https://svc.example.com/api/scim/v2'],
    }),
    user_count: Type.Integer({ description: 'The users that were provisioned.' }),
    group_count: Type.Integer({ description: 'The groups that were provisioned.' }),
    tokens: Type.Array(ScimToken),
  },
  { $id: 'ScimOverview' },
)
export type ScimOverview = Static<typeof ScimOverview>

const tag = 'Organizations'
const path = '/api/orgs/{org_id}/scim/tokens'

export const listScimTokens = endpoint({
  name: 'listScimTokens',
  method: 'GET',
  path,
  tag,
  summary:
    'Get the SCIM address of an organization, its tokens, and how many users they provisioned',
  credential: 'bearer',
  params: Type.Object({ org_id: Uuid() }),
  success: [200, ScimOverview],
  errors: { 403: ['not_org_member', 'org_manager_required'] },
})

export const createScimToken = endpoint({
  name: 'createScimToken',
  method: 'POST',
  path,
  tag,
  summary: 'Create a SCIM token for an identity provider (owners only); it is returned once',
  credential: 'jwt',
  params: Type.Object({ org_id: Uuid() }),
  body: CreateScimToken,
  success: [201, NewScimToken],
  affects: ['listScimTokens'],
  errors: { 403: ['not_org_member', 'org_owner_required'], 409: ['cap_reached'] },
})

export const revokeScimToken = endpoint({
  name: 'revokeScimToken',
  method: 'DELETE',
  path: `${path}/{token_id}`,
  tag,
  summary: 'Revoke a SCIM token; what it provisioned stays',
  credential: 'jwt',
  params: Type.Object({ org_id: Uuid(), token_id: Uuid() }),
  success: [204, null],
  affects: ['listScimTokens'],
  errors: { 403: ['not_org_member', 'org_manager_required'], 404: ['scim_token_not_found'] },
})
