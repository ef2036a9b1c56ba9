import {
  authorizeOAuthClient,
  issueTokens,
  jsonWebKeySet,
  registerOAuthClient,
  revokeToken,
} from '../../../../shared/contract/index.ts'
import type {
  ProviderMetadata,
  ResourceMetadata,
} from '../../../../shared/contract/oauth-metadata.ts'
import type { OpenIdProvider } from './openid.ts'
import { MCP_SCOPE, type Resources } from './scopes.ts'

export const MCP_SCOPES = [MCP_SCOPE, 'offline_access']

/** The methods of clients with a secret. */
export const WITH_SECRET = ['client_secret_basic', 'client_secret_post']

/** Protected resource metadata (RFC 9728). */
export const resourceMetadata = (baseUrl: string, resource: string): ResourceMetadata => ({
  resource,
  authorization_servers: [baseUrl],
  scopes_supported: ['mcp'],
  bearer_methods_supported: ['header'],
  resource_name: 'svc memory',
})

/** Metadata of the authorization server (RFC 8414), with that of the OpenID provider where there is one. */
export const serverMetadata = (
  baseUrl: string,
  { mcp, api, appScopes }: Resources,
  openId: OpenIdProvider | undefined,
): ProviderMetadata => {
  const urlOf = ({ path }: { path: string }) => `${baseUrl}${path}`
  return {
    issuer: baseUrl,
    authorization_endpoint: urlOf(authorizeOAuthClient),
    token_endpoint: urlOf(issueTokens),
    jwks_uri: urlOf(jsonWebKeySet),
    registration_endpoint: urlOf(registerOAuthClient),
    revocation_endpoint: urlOf(revokeToken),
    scopes_supported: [...new Set([...MCP_SCOPES, ...appScopes()])],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    token_endpoint_auth_methods_supported: ['none', ...WITH_SECRET],
    revocation_endpoint_auth_methods_supported: ['none', ...WITH_SECRET],
    code_challenge_methods_supported: ['S256'],
    request_parameter_supported: false,
    // The default of a missing value is true.
    request_uri_parameter_supported: false,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    protected_resources: [mcp, api],
    ...openId?.metadata,
  }
}
