import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import { ApiKey, CreatedKey, CreateKey } from '../schemas/keys.ts'
import { endpoint } from './endpoint.ts'

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
