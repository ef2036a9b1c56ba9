import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

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
  },
  { $id: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

export const CreatedKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({ description: 'The secret key. It is returned only once.' }),
})
export type CreatedKey = Static<typeof CreatedKey>

const tag = 'API keys'

export const createKey = endpoint({
  name: 'createKey',
  method: 'POST',
  path: '/api/auth/api-keys',
  tag,
  summary: 'Create an API key',
  credential: 'jwt',
  body: CreateKey,
  success: [201, CreatedKey],
  errors: { 403: ['not_org_member'], 409: ['cap_reached'] },
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
  params: Type.Object({ key_id: Uuid({ description: 'The id of the key, not its prefix.' }) }),
  success: [204, null],
  errors: {
    403: ['api_key_revokes_only_itself', 'api_key_of_another_user'],
    404: ['api_key_not_found'],
  },
})
