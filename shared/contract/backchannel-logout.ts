import { Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { OAuthErrorBody } from './oauth-server.ts'

/** A logout token (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
export const BackchannelLogout = Type.Object({
  logout_token: Type.String({
    description: 'A JWT that the provider has signed.',
    examples: ['eyJhbGciOiJSUzI1NiJ9…'],
  }),
})

export const backchannelLogout = endpoint({
  name: 'backchannelLogout',
  method: 'POST',
  path: '/api/auth/oauth/{provider}/backchannel-logout',
  tag: 'OAuth',
  summary: 'End the sessions of a user who signed out at an OpenID provider',
  protocol: { body: 'application/x-www-form-urlencoded' },
  credential: 'none',
  params: Type.Object({
    provider: Type.String({ description: 'The name of the provider.', examples: ['work'] }),
  }),
  body: BackchannelLogout,
  success: [200, Type.Object({})],
  errors: [400, 413, 415, 503],
  errorBodies: {
    400: OAuthErrorBody,
    413: OAuthErrorBody,
    415: OAuthErrorBody,
    503: OAuthErrorBody,
  },
})
