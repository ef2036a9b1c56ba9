import { Type } from '@sinclair/typebox'
import {
  AuthorizationQuery,
  AuthorizationServerMetadata,
  AuthorizedApp,
  ClientMetadata,
  OAuthErrorBody,
  OAuthTokens,
  RegisteredClient,
  ResourceMetadata,
  RevocationRequest,
  TokenRequest,
} from '../schemas/oauth-server.ts'
import { endpoint } from './endpoint.ts'

const tag = 'MCP'

const OAUTH_PATH = '/api/auth/mcp/oauth'
const FORM = 'application/x-www-form-urlencoded'

const resource = {
  method: 'GET',
  tag,
  credential: 'none',
  success: [200, ResourceMetadata],
} as const

export const mcpResource = endpoint({
  ...resource,
  name: 'mcpResource',
  path: '/.well-known/oauth-protected-resource/api/mcp',
  summary: 'Get the metadata of the MCP endpoint as a protected resource (RFC 9728)',
  protocol: {},
})

export const mcpResourceAtRoot = endpoint({
  ...resource,
  name: 'mcpResourceAtRoot',
  path: '/.well-known/oauth-protected-resource',
  summary: 'Get the same metadata at the path without the resource',
  protocol: {},
})

export const mcpAuthorizationServer = endpoint({
  name: 'mcpAuthorizationServer',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  tag,
  summary: 'Get the metadata of the authorization server (RFC 8414)',
  protocol: {},
  credential: 'none',
  success: [200, AuthorizationServerMetadata],
})

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
  errors: [400, 413, 429],
  errorBodies: { 400: OAuthErrorBody, 413: OAuthErrorBody, 429: OAuthErrorBody },
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
  summary: 'Exchange an authorization code or a refresh token for tokens',
  protocol: { body: FORM },
  credential: 'none',
  body: TokenRequest,
  success: [200, OAuthTokens],
  errors: [400, 413],
  errorBodies: { 400: OAuthErrorBody, 413: OAuthErrorBody },
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
  errors: [400, 413],
  errorBodies: { 400: OAuthErrorBody, 413: OAuthErrorBody },
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
