import { Type } from '@sinclair/typebox'
import {
  AuthorizationQuery,
  AuthorizationServerMetadata,
  ClientMetadata,
  GrantedTokens,
  McpAnswer,
  McpMessage,
  McpUnauthorized,
  OAuthRefusal,
  RegisteredClient,
  ResourceMetadata,
  RevocationRequest,
  TokenRequest,
} from '../schemas/programs.ts'
import { endpoint, stream } from './endpoint.ts'

const tag = 'MCP'
const OAUTH_PATH = '/api/auth/mcp/oauth'
const FORM = 'application/x-www-form-urlencoded'

export const mcp = endpoint({
  name: 'mcp',
  method: 'POST',
  path: '/api/mcp',
  tag,
  summary: 'One message of the Model Context Protocol, and its answer',
  protocol: {
    about:
      'Streamable HTTP. Send `Accept: application/json, text/event-stream`; which of the two answers is up to the server. A notification is answered 202, without a body. `GET` and `DELETE` are 405: there are no sessions. Beside the credentials of the API it takes the tokens that programs sign in for.',
  },
  credential: 'bearer',
  body: McpMessage,
  success: [200, McpAnswer],
  streamed: stream('text/event-stream', McpAnswer),
  errors: [400, 401, 403, 406, 413, 415],
  errorBodies: { 400: McpAnswer, 401: McpUnauthorized, 406: McpAnswer, 415: McpAnswer },
})

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
  summary: 'What the MCP endpoint is, and who lets programs in (RFC 9728)',
  protocol: {},
})

export const mcpResourceAtRoot = endpoint({
  ...resource,
  name: 'mcpResourceAtRoot',
  path: '/.well-known/oauth-protected-resource',
  summary: 'The same, for programs that ask without the path',
  protocol: {},
})

export const mcpAuthorizationServer = endpoint({
  name: 'mcpAuthorizationServer',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  tag,
  summary: 'What the authorization server can do (RFC 8414)',
  protocol: {},
  credential: 'none',
  success: [200, AuthorizationServerMetadata],
})

export const registerProgram = endpoint({
  name: 'registerProgram',
  method: 'POST',
  path: `${OAUTH_PATH}/register`,
  tag,
  summary: 'Register a program (RFC 7591)',
  protocol: {},
  credential: 'none',
  body: ClientMetadata,
  success: [201, RegisteredClient],
  errors: [400, 413, 429],
  errorBodies: { 400: OAuthRefusal },
})

export const authorizeProgram = endpoint({
  name: 'authorizeProgram',
  method: 'GET',
  path: `${OAUTH_PATH}/authorize`,
  tag,
  summary: 'The page on which a person lets a program in',
  protocol: {
    about:
      'A program opens it in the person’s browser, which goes back to `redirect_uri` with `code`, or `error`, and `state` and `iss`. What is wrong with a request is shown on the page.',
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
  summary: 'Tokens for a code, or for a refresh token',
  protocol: { body: FORM },
  credential: 'none',
  body: TokenRequest,
  success: [200, GrantedTokens],
  errors: [400, 413],
  errorBodies: { 400: OAuthRefusal },
})

export const revokeToken = endpoint({
  name: 'revokeToken',
  method: 'POST',
  path: `${OAUTH_PATH}/revoke`,
  tag,
  summary: 'Sign a program out (RFC 7009); a token that is not good is 200 too',
  protocol: { body: FORM },
  credential: 'none',
  body: RevocationRequest,
  success: [200, Type.Object({})],
  errors: [400, 413],
  errorBodies: { 400: OAuthRefusal },
})
