import { Type } from '@sinclair/typebox'
import { Message } from '../schemas/common.ts'
import { OAuthAuthorize, OAuthConnection } from '../schemas/oauth.ts'
import { endpoint } from './endpoint.ts'

const tag = 'OAuth'
const params = Type.Object({
  provider: Type.String({ description: 'google, github or twitter' }),
})

export const authorizeOAuth = endpoint({
  name: 'authorizeOAuth',
  method: 'GET',
  path: '/api/auth/oauth/{provider}/authorize',
  tag,
  summary: 'Start signing in with a provider',
  credential: 'none',
  params,
  query: Type.Object({
    frontend_origin: Type.Optional(
      Type.String({ description: 'An allow-listed origin to return to.' }),
    ),
  }),
  success: [200, OAuthAuthorize],
  errors: [400, 503],
})

export const oauthCallback = endpoint({
  name: 'oauthCallback',
  method: 'GET',
  path: '/api/auth/oauth/{provider}/callback',
  tag,
  summary: 'Where a provider sends the browser back to; redirects to the frontend',
  credential: 'none',
  params,
  query: Type.Object({
    code: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
    iss: Type.Optional(Type.String({ description: 'The provider’s name for itself (RFC 9207).' })),
  }),
  success: [302, null],
  errors: [400],
})

export const listConnections = endpoint({
  name: 'listConnections',
  method: 'GET',
  path: '/api/auth/oauth/connections',
  tag,
  summary: 'The providers the account can sign in with',
  credential: 'jwt',
  success: [200, Type.Array(OAuthConnection)],
})

export const disconnectOAuth = endpoint({
  name: 'disconnectOAuth',
  method: 'DELETE',
  path: '/api/auth/oauth/{provider}',
  tag,
  summary: 'Forget a provider, unless it is the last way in',
  credential: 'jwt',
  params,
  success: [200, Message],
  errors: [400, 404],
})
