import {
  authorizeOAuthClient,
  issueTokens,
  jsonWebKeySet,
  registerOAuthClient,
  revokeToken,
} from '../../../../shared/contract/index.ts'
import type {
  AuthorizationServerMetadata,
  ResourceMetadata,
} from '../../../../shared/contract/oauth-server.ts'

export const SCOPES = ['mcp', 'offline_access']

/** Protected resource metadata (RFC 9728). */
export const resourceMetadata = (baseUrl: string, resource: string): ResourceMetadata => ({
  resource,
  authorization_servers: [baseUrl],
  scopes_supported: ['mcp'],
  bearer_methods_supported: ['header'],
  resource_name: 'svc memory',
})

/** Authorization server metadata (RFC 8414). */
export const serverMetadata = (baseUrl: string, resource: string): AuthorizationServerMetadata => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}${authorizeOAuthClient.path}`,
  token_endpoint: `${baseUrl}${issueTokens.path}`,
  jwks_uri: `${baseUrl}${jsonWebKeySet.path}`,
  registration_endpoint: `${baseUrl}${registerOAuthClient.path}`,
  revocation_endpoint: `${baseUrl}${revokeToken.path}`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  protected_resources: [resource],
})
