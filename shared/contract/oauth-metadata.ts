import { type Static, Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'

export const ResourceMetadata = Type.Object({
  resource: Type.String(),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  resource_name: Type.String(),
})
export type ResourceMetadata = Static<typeof ResourceMetadata>

/** OpenID provider metadata (OpenID Connect Discovery 1.0), and authorization server metadata (RFC 8414). */
export const ProviderMetadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  userinfo_endpoint: Type.Optional(Type.String()),
  jwks_uri: Type.String(),
  registration_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  introspection_endpoint: Type.Optional(Type.String()),
  end_session_endpoint: Type.Optional(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  claims_supported: Type.Optional(Type.Array(Type.String())),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  subject_types_supported: Type.Optional(Type.Array(Type.String())),
  id_token_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
  prompt_values_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
  introspection_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
  code_challenge_methods_supported: Type.Array(Type.String()),
  claims_parameter_supported: Type.Optional(Type.Boolean()),
  request_parameter_supported: Type.Boolean(),
  request_uri_parameter_supported: Type.Boolean(),
  client_id_metadata_document_supported: Type.Boolean(),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  backchannel_logout_supported: Type.Optional(Type.Boolean()),
  backchannel_logout_session_supported: Type.Optional(Type.Boolean()),
  protected_resources: Type.Array(Type.String()),
})
export type ProviderMetadata = Static<typeof ProviderMetadata>

/** Public keys (RFC 7517). */
export const JsonWebKeySet = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String({ examples: ['EC'] }),
      crv: Type.String({ examples: ['P-256'] }),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      alg: Type.String({ examples: ['ES256'] }),
      use: Type.String({ examples: ['sig'] }),
    }),
  ),
})
export type JsonWebKeySet = Static<typeof JsonWebKeySet>

const tag = 'MCP'

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
  success: [200, ProviderMetadata],
})

export const jsonWebKeySet = endpoint({
  name: 'jsonWebKeySet',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag,
  summary: 'Get the public keys of access tokens (RFC 7517)',
  protocol: {
    about:
      'May be cached for five minutes, and has an `ETag`. A key is published at least ten minutes before it signs.',
  },
  credential: 'none',
  success: [200, JsonWebKeySet],
})
