import { type Static, Type } from '@sinclair/typebox'
import { type Endpoint, endpoint } from './endpoint.ts'
import { ProviderMetadata } from './oauth-metadata.ts'
import { FORM, OAUTH_PATH, OAuthErrorBody } from './oauth-server.ts'

/** The claims about a user (OpenID Connect Core 1.0, section 5.1). */
export const UserInfo = Type.Object({
  sub: Type.String({ description: 'The id of the user, which never changes.' }),
  name: Type.Optional(Type.String({ description: 'With the scope `profile`.' })),
  preferred_username: Type.Optional(Type.String({ description: 'With the scope `profile`.' })),
  picture: Type.Optional(Type.String({ description: 'With the scope `profile`.' })),
  zoneinfo: Type.Optional(Type.String({ description: 'With the scope `profile`.' })),
  org_id: Type.Optional(
    Type.String({
      description: 'With the scope `profile`: the organization that the app acts in.',
    }),
  ),
  org_name: Type.Optional(Type.String()),
  org_role: Type.Optional(Type.String()),
  email: Type.Optional(Type.String({ description: 'With the scope `email`.' })),
  email_verified: Type.Optional(Type.Boolean({ description: 'With the scope `email`.' })),
})
export type UserInfo = Static<typeof UserInfo>

const token = Type.String({
  description: 'The access token or the refresh token.',
  examples: ['eyJhbGciOiJFUzI1NiJ9…'],
})

export const IntrospectionRequest = Type.Object({
  token,
  client_id: Type.Optional(Type.String({ examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'] })),
  client_secret: Type.Optional(
    Type.String({
      description: 'Unless in the header.',
      examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'],
    }),
  ),
})

/** The state of a token (RFC 7662, section 2.2). */
export const Introspection = Type.Object({
  active: Type.Boolean(),
  scope: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  token_type: Type.Optional(Type.String()),
  sub: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
  aud: Type.Optional(Type.String()),
  iat: Type.Optional(Type.Integer()),
  exp: Type.Optional(Type.Integer()),
})
export type Introspection = Static<typeof Introspection>

export const EndSessionQuery = Type.Object({
  id_token_hint: Type.Optional(
    Type.String({ description: 'An ID token of the app, which may be expired.' }),
  ),
  client_id: Type.Optional(Type.String()),
  post_logout_redirect_uri: Type.Optional(
    Type.String({ description: 'One of the registered URIs of the client.' }),
  ),
  state: Type.Optional(Type.String({ description: 'Returned unchanged to the redirect URI.' })),
  logout_hint: Type.Optional(Type.String({ description: 'Ignored.' })),
})

const tag = 'OpenID provider'

export const openIdConfiguration = endpoint({
  name: 'openIdConfiguration',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  tag,
  summary: 'Get the metadata of the OpenID provider (OpenID Connect Discovery 1.0)',
  protocol: { about: 'The same document as that of the authorization server.' },
  credential: 'none',
  success: [200, Type.Required(ProviderMetadata)],
})

const userInfoRow = {
  path: `${OAUTH_PATH}/userinfo`,
  tag,
  summary: 'Get the claims about the user of an app’s access token',
  protocol: {
    about:
      'Requires an access token of an app with the scope `openid` in the `Authorization` header. The claims depend on the scopes that the user agreed to.',
  },
  credential: 'none',
  success: [200, UserInfo],
  errors: [401, 403],
  errorBodies: { 401: OAuthErrorBody, 403: OAuthErrorBody },
} as const

export const userInfo = endpoint({ ...userInfoRow, name: 'userInfo', method: 'GET' })

export const userInfoByPost = endpoint({ ...userInfoRow, name: 'userInfoByPost', method: 'POST' })

export const introspectToken = endpoint({
  name: 'introspectToken',
  method: 'POST',
  path: `${OAUTH_PATH}/introspect`,
  tag,
  summary: 'Get the state of a token (RFC 7662)',
  protocol: {
    about:
      'For clients with a secret, by `client_secret_basic` or `client_secret_post`. A token of another client is not active.',
    body: FORM,
  },
  credential: 'none',
  body: IntrospectionRequest,
  success: [200, Introspection],
  errors: [400, 401, 413],
  errorBodies: { 400: OAuthErrorBody, 401: OAuthErrorBody, 413: OAuthErrorBody },
})

export const endSession = endpoint({
  name: 'endSession',
  method: 'GET',
  path: `${OAUTH_PATH}/end-session`,
  tag,
  summary: 'Sign the user out (OpenID Connect RP-Initiated Logout 1.0)',
  protocol: {
    about:
      'The app opens this page in the user’s browser. With an ID token of the current session the session ends at once; otherwise the page asks. Then the browser goes to `post_logout_redirect_uri` with `state`. A POST does the same.',
    answer: 'text/html',
  },
  credential: 'none',
  query: EndSessionQuery,
  success: [200, Type.String()],
})

/** Those that pages of any origin may call. */
export const openIdOfAnyOrigin: readonly Endpoint[] = [
  openIdConfiguration,
  userInfo,
  userInfoByPost,
]
