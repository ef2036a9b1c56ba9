import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { limits, Scopes } from './scopes.ts'

const ALLOWED = 'Everything that the key may do. Default: all.'

const Addresses = (description: string) =>
  Type.Array(Type.String({ maxLength: 50, examples: ['10.0.0.0/8'] }), {
    minItems: 1,
    maxItems: 50,
    description,
  })

export const CreateKey = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    trim: true,
    description: 'A label for the key.',
    examples: ['laptop'],
  }),
  org_id: Type.Optional(
    Nullable(Uuid(), { description: 'The organization that the key always acts in.' }),
  ),
  expires_at: Type.Optional(
    Nullable(Timestamp(), { description: 'When the key expires; must be in the future.' }),
  ),
  scopes: Type.Optional(Nullable(Scopes(), { description: ALLOWED })),
  allowed_addresses: Type.Optional(
    Nullable(Addresses('Addresses and ranges (CIDR) that the key may be used from. Default: all.')),
  ),
})
export type CreateKey = Static<typeof CreateKey>

export const ApiKey = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    key_prefix: Type.String({ description: 'The first 8 characters of the key.' }),
    org_id: Nullable(Uuid()),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp({ description: 'Updated at most once a minute.' })),
    expires_at: Nullable(Timestamp()),
    ...limits,
    allowed_addresses: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Addresses and ranges that it may be used from; absent: all.',
      }),
    ),
    parent_id: Type.Optional(Uuid({ description: 'The key that created it for an agent.' })),
  },
  { $id: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

const MAX_TTL_SECONDS = 366 * 24 * 60 * 60

export const DelegateKey = Type.Object({
  name: CreateKey.properties.name,
  scopes: Type.Optional(
    Nullable(Scopes(), {
      description: 'At most those of the caller. Default: those of the caller.',
    }),
  ),
  ttl_seconds: withDefault(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TTL_SECONDS,
      description: 'How long the key is valid. It ends with the caller’s key at the latest.',
    }),
    3600,
  ),
})
export type DelegateKey = Static<typeof DelegateKey>

/** Omitted fields keep their value. */
export const UpdateKey = Type.Object(
  {
    name: Type.Optional(CreateKey.properties.name),
    scopes: Type.Optional(Nullable(Scopes(), { description: 'Null: all.' })),
    allowed_addresses: Type.Optional(Nullable(Addresses('Null: all.'))),
    paused: Type.Optional(
      Type.Boolean({ description: 'Requests of a paused key get 403 until it is resumed.' }),
    ),
  },
  { examples: [{ scopes: ['memory:read'] }] },
)
export type UpdateKey = Static<typeof UpdateKey>

export const CreatedKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({ description: 'The secret key. It is returned only once.' }),
})
export type CreatedKey = Static<typeof CreatedKey>

const tag = 'API keys'
const params = Type.Object({ key_id: Uuid({ description: 'The id of the key, not its prefix.' }) })

export const createKey = endpoint({
  name: 'createKey',
  method: 'POST',
  path: '/api/auth/api-keys',
  tag,
  summary: 'Create an API key',
  credential: 'jwt',
  body: CreateKey,
  success: [201, CreatedKey],
  affects: ['listKeys'],
  errors: { 403: ['not_org_member', 'org_policy'], 409: ['cap_reached'] },
})

export const delegateKey = endpoint({
  name: 'delegateKey',
  method: 'POST',
  path: '/api/auth/api-keys/delegate',
  tag,
  summary: 'Create a narrower, shorter key for an agent; it ends with the caller’s key',
  credential: 'bearer',
  body: DelegateKey,
  success: [201, CreatedKey],
  errors: {
    403: ['not_org_member', 'api_key_scopes_too_wide', 'org_policy'],
    404: ['api_key_not_found'],
    409: ['cap_reached'],
  },
})

export const updateKey = endpoint({
  name: 'updateKey',
  method: 'PATCH',
  path: '/api/auth/api-keys/{key_id}',
  tag,
  summary: 'Rename, limit, pause or resume an API key, and with it those that it created',
  credential: 'jwt',
  params,
  body: UpdateKey,
  success: [200, ApiKey],
  affects: ['listKeys'],
  errors: {
    403: ['api_key_scopes_too_wide'],
    404: ['api_key_not_found'],
    409: ['api_key_parent_paused', 'api_key_addresses_of_parent'],
  },
})

export const listKeys = endpoint({
  name: 'listKeys',
  method: 'GET',
  path: '/api/auth/api-keys',
  tag,
  summary: 'List the caller’s API keys, newest first',
  credential: 'jwt',
  success: [200, Type.Array(ApiKey)],
})

export const revokeKey = endpoint({
  name: 'revokeKey',
  method: 'DELETE',
  path: '/api/auth/api-keys/{key_id}',
  tag,
  summary: 'Revoke an API key immediately; a key may revoke itself',
  credential: 'bearer',
  params,
  success: [204, null],
  affects: ['listKeys'],
  errors: {
    403: ['api_key_revokes_only_itself', 'api_key_of_another_user'],
    404: ['api_key_not_found'],
  },
})
