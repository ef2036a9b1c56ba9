import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { limits, Scopes } from './scopes.ts'

/** Client metadata (RFC 7591, section 2). Other fields are ignored. */
export const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 20,
    description: 'Redirect URIs: `https`, `http` on a loopback address, or a private-use scheme.',
    examples: [['http://127.0.0.1/callback']],
  }),
  client_name: Type.Optional(Type.String({ description: 'The name on the consent page.' })),
  client_uri: Type.Optional(Type.String()),
  post_logout_redirect_uris: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 20,
      description: 'In a metadata document: where the browser may go after a sign-out.',
    }),
  ),
  grant_types: Type.Optional(Type.Array(Type.String())),
  response_types: Type.Optional(Type.Array(Type.String())),
  token_endpoint_auth_method: Type.Optional(
    Type.String({ description: 'Always `none`: clients have no secret.' }),
  ),
})
export type ClientMetadata = Static<typeof ClientMetadata>

export const RegisteredClient = Type.Object({
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Unix time in seconds.' }),
  client_name: Type.String(),
  client_uri: Type.Optional(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Literal('none'),
  scope: Type.String(),
})
export type RegisteredClient = Static<typeof RegisteredClient>

export const AuthorizationQuery = Type.Object({
  response_type: Type.Literal('code'),
  client_id: Type.String({
    examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'],
    description: 'The registered client id, or the `https` URL of a client metadata document.',
  }),
  redirect_uri: Type.String({
    description: 'One of the registered redirect URIs of the client.',
    examples: ['http://127.0.0.1/callback'],
  }),
  code_challenge: Type.String({
    examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    description: 'The SHA-256 hash of the code verifier, in base64url (PKCE).',
  }),
  code_challenge_method: Type.Literal('S256'),
  state: Type.Optional(Type.String({ description: 'Returned unchanged to the redirect URI.' })),
  scope: Type.Optional(
    Type.String({
      description:
        'What an app requests, such as `openid email memory:read`. Ignored for the MCP endpoint, whose scopes are always granted.',
    }),
  ),
  resource: Type.Optional(
    Type.String({ description: 'The MCP endpoint or the API. Other resources are rejected.' }),
  ),
  nonce: Type.Optional(Type.String({ description: 'Returned in the ID token.' })),
  prompt: Type.Optional(
    Type.String({
      description:
        '`none` (no page: an error if one is needed), `login`, `consent` or `select_account`.',
    }),
  ),
  max_age: Type.Optional(
    Type.String({ description: 'How many seconds ago the user may have signed in.' }),
  ),
  login_hint: Type.Optional(Type.String({ description: 'The email address to prefill.' })),
  id_token_hint: Type.Optional(
    Type.String({ description: 'An earlier ID token, whose user must sign in.' }),
  ),
})

export const TokenRequest = Type.Object(
  {
    grant_type: OneOf(['authorization_code', 'refresh_token', 'client_credentials']),
    client_id: Type.String({ description: 'For `client_credentials`: the id of an API key.' }),
    client_secret: Type.Optional(
      Type.String({
        description:
          'Of a client with a secret, unless in the header. For `client_credentials`: the API key.',
      }),
    ),
    scope: Type.Optional(
      Type.String({ description: 'For `client_credentials`: `mcp`, or nothing.' }),
    ),
    code: Type.Optional(Type.String({ description: 'For `authorization_code`.' })),
    redirect_uri: Type.Optional(
      Type.String({
        description: 'For `authorization_code`: the redirect URI of the authorization request.',
      }),
    ),
    code_verifier: Type.Optional(Type.String({ description: 'For `authorization_code` (PKCE).' })),
    refresh_token: Type.Optional(Type.String({ description: 'For `refresh_token`.' })),
    resource: Type.Optional(Type.String()),
  },
  {
    examples: [
      {
        grant_type: 'refresh_token',
        client_id: '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9',
        refresh_token: 'eyJhbGciOiJIUzI1NiJ9…',
      },
    ],
  },
)

export const OAuthTokens = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.' }),
  refresh_token: Type.Optional(
    Type.String({
      description:
        'Replaces the previous refresh token. An app gets one only with the scope `offline_access`.',
    }),
  ),
  id_token: Type.Optional(Type.String({ description: 'For an app with the scope `openid`.' })),
  scope: Type.String(),
})
export type OAuthTokens = Static<typeof OAuthTokens>

export const RevocationRequest = Type.Object({
  token: Type.String({
    description: 'The access token or the refresh token.',
    examples: ['eyJhbGciOiJIUzI1NiJ9…'],
  }),
  client_id: Type.String({ examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'] }),
  client_secret: Type.Optional(Type.String()),
})

/** An OAuth error response (RFC 6749, section 5.2). */
export const OAuthErrorBody = Type.Object({
  error: Type.String({ examples: ['invalid_grant'] }),
  error_description: Type.String(),
})

/** An OAuth client that a user authorized. */
export const AuthorizedApp = Type.Object({
  session_id: Uuid({ description: 'The session of the app. Revoking it ends the access.' }),
  client_id: Type.String(),
  name: Type.String(),
  org: Nullable(Type.Object({ id: Uuid(), name: Type.String() }), {
    description: 'The organization that the app acts in; null for the user’s own memory.',
  }),
  created_at: Timestamp(),
  last_seen_at: Timestamp({ description: 'Updated at most once a minute.' }),
  ...limits,
})
export type AuthorizedApp = Static<typeof AuthorizedApp>

/** Omitted fields keep their value. */
export const UpdateApp = Type.Object(
  {
    scopes: Type.Optional(Nullable(Scopes(), { description: 'Null: all.' })),
    paused: Type.Optional(
      Type.Boolean({ description: 'Requests of a paused app get 403 until it is resumed.' }),
    ),
  },
  { examples: [{ scopes: ['memory:read'] }] },
)
export type UpdateApp = Static<typeof UpdateApp>

const tag = 'MCP'

export const OAUTH_PATH = '/api/auth/mcp/oauth'
export const FORM = 'application/x-www-form-urlencoded'

export const registerOAuthClient = endpoint({
  name: 'registerOAuthClient',
  method: 'POST',
  path: `${OAUTH_PATH}/register`,
  tag,
  summary: 'Register an OAuth client (RFC 7591)',
  protocol: {},
  credential: 'none',
  body: ClientMetadata,
  success: [201, RegisteredClient],
  errors: [400, 413, 415, 429],
  errorBodies: {
    400: OAuthErrorBody,
    413: OAuthErrorBody,
    415: OAuthErrorBody,
    429: OAuthErrorBody,
  },
})

export const authorizeOAuthClient = endpoint({
  name: 'authorizeOAuthClient',
  method: 'GET',
  path: `${OAUTH_PATH}/authorize`,
  tag,
  summary: 'Open the consent page of an authorization request',
  protocol: {
    about:
      'The OAuth client opens this page in the user’s browser. After the decision the browser returns to `redirect_uri` with `code` or `error`, and with `state` and `iss`. An invalid request is shown as an error on the page.',
    answer: 'text/html',
  },
  credential: 'none',
  query: AuthorizationQuery,
  success: [200, Type.String()],
})

export const issueTokens = endpoint({
  name: 'issueTokens',
  method: 'POST',
  path: `${OAUTH_PATH}/token`,
  tag,
  summary: 'Exchange an authorization code, a refresh token or an API key for tokens',
  protocol: { body: FORM },
  credential: 'none',
  body: TokenRequest,
  success: [200, OAuthTokens],
  errors: [400, 401, 413, 415, 429],
  errorBodies: {
    400: OAuthErrorBody,
    401: OAuthErrorBody,
    413: OAuthErrorBody,
    415: OAuthErrorBody,
    429: OAuthErrorBody,
  },
})

export const revokeToken = endpoint({
  name: 'revokeToken',
  method: 'POST',
  path: `${OAUTH_PATH}/revoke`,
  tag,
  summary: 'Revoke a token (RFC 7009); an unknown token also gets 200',
  protocol: { body: FORM },
  credential: 'none',
  body: RevocationRequest,
  success: [200, Type.Object({})],
  errors: [400, 401, 413, 415],
  errorBodies: {
    400: OAuthErrorBody,
    401: OAuthErrorBody,
    413: OAuthErrorBody,
    415: OAuthErrorBody,
  },
})

export const updateApp = endpoint({
  name: 'updateApp',
  method: 'PATCH',
  path: '/api/auth/apps/{session_id}',
  tag: 'Sessions',
  summary: 'Limit, pause or resume an OAuth client that the user authorized',
  credential: 'jwt',
  params: Type.Object({ session_id: Uuid() }),
  body: UpdateApp,
  success: [200, AuthorizedApp],
  affects: ['listApps'],
  errors: { 404: ['session_not_found'] },
})

export const listApps = endpoint({
  name: 'listApps',
  method: 'GET',
  path: '/api/auth/apps',
  tag: 'Sessions',
  summary: 'List the OAuth clients that the user authorized, newest first',
  credential: 'session',
  success: [200, Type.Array(AuthorizedApp)],
})
