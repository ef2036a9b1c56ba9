import { type Static, Type } from '@sinclair/typebox'
import { JsonObject, OneOf } from './common.ts'

/** What a program says of itself (RFC 7591, section 2), as far as it matters here. */
export const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 20,
    description:
      'Where people go back to: `https`, `http` on a loopback address, or a scheme of the program’s own.',
    examples: [['http://127.0.0.1/callback']],
  }),
  client_name: Type.Optional(Type.String({ description: 'What people are shown.' })),
  client_uri: Type.Optional(Type.String()),
  grant_types: Type.Optional(Type.Array(Type.String())),
  response_types: Type.Optional(Type.Array(Type.String())),
  token_endpoint_auth_method: Type.Optional(
    Type.String({ description: '`none`: programs have no secret here.' }),
  ),
})
export type ClientMetadata = Static<typeof ClientMetadata>

export const RegisteredClient = Type.Object({
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970.' }),
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
    description:
      'What registering answered, or the `https` address of a document that describes the program.',
  }),
  redirect_uri: Type.String({ description: 'One of those that the program told before.' }),
  code_challenge: Type.String({ description: 'SHA-256 of the verifier, in base64url.' }),
  code_challenge_method: Type.Literal('S256'),
  state: Type.Optional(Type.String({ description: 'Comes back with the answer.' })),
  scope: Type.Optional(Type.String({ description: 'Both scopes are always given.' })),
  resource: Type.Optional(
    Type.String({ description: 'The MCP endpoint; nothing else may be asked for.' }),
  ),
})

export const TokenRequest = Type.Object({
  grant_type: OneOf(['authorization_code', 'refresh_token']),
  client_id: Type.String(),
  code: Type.Optional(Type.String({ description: 'For `authorization_code`.' })),
  redirect_uri: Type.Optional(
    Type.String({
      description: 'For `authorization_code`: as it was when the code was asked for.',
    }),
  ),
  code_verifier: Type.Optional(Type.String({ description: 'For `authorization_code` (PKCE).' })),
  refresh_token: Type.Optional(Type.String({ description: 'For `refresh_token`.' })),
  resource: Type.Optional(Type.String()),
})

export const GrantedTokens = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  refresh_token: Type.String({ description: 'Takes the place of the one before.' }),
  scope: Type.String(),
})
export type GrantedTokens = Static<typeof GrantedTokens>

export const RevocationRequest = Type.Object({
  token: Type.String({ description: 'Either token of the sign-in.' }),
  client_id: Type.String(),
})

/** What is answered instead, in the words of OAuth (RFC 6749, section 5.2). */
export const OAuthRefusal = Type.Object({
  error: Type.String({ examples: ['invalid_grant'] }),
  error_description: Type.String(),
})

export const ResourceMetadata = Type.Object({
  resource: Type.String(),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  resource_name: Type.String(),
})
export type ResourceMetadata = Static<typeof ResourceMetadata>

export const AuthorizationServerMetadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  registration_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  client_id_metadata_document_supported: Type.Boolean(),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  protected_resources: Type.Array(Type.String()),
})
export type AuthorizationServerMetadata = Static<typeof AuthorizationServerMetadata>

const RequestId = Type.Union([Type.String(), Type.Integer()])

/** A request or notification of JSON-RPC 2.0. */
export const McpMessage = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(RequestId),
  method: Type.String({ examples: ['tools/list'] }),
  params: Type.Optional(JsonObject()),
})

export const McpAnswer = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(RequestId),
  result: Type.Optional(JsonObject()),
  error: Type.Optional(
    Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(Type.Unknown()),
    }),
  ),
})

/** A 401 of the MCP endpoint, for a client and for whoever reads it. */
export const McpUnauthorized = Type.Object({
  error: OneOf(['unauthorized', 'invalid_token']),
  error_description: Type.String(),
  detail: Type.String(),
})
