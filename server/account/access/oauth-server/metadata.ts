import {
  authorizeOAuthClient,
  endSession,
  introspectToken,
  issueTokens,
  jsonWebKeySet,
  registerOAuthClient,
  revokeToken,
  userInfo,
} from '../../../../shared/contract/index.ts'
import type {
  ProviderMetadata,
  ResourceMetadata,
} from '../../../../shared/contract/oauth-metadata.ts'
import { APP_SCOPES } from '../../../../shared/contract/openid.ts'
import { MCP_SCOPE, type Resources } from './scopes.ts'

export const MCP_SCOPES = [MCP_SCOPE, 'offline_access']

const WITH_SECRET = ['client_secret_basic', 'client_secret_post']

/** Protected resource metadata (RFC 9728). */
export const resourceMetadata = (baseUrl: string, resource: string): ResourceMetadata => ({
  resource,
  authorization_servers: [baseUrl],
  scopes_supported: ['mcp'],
  bearer_methods_supported: ['header'],
  resource_name: 'svc memory',
})

/** Metadata of the authorization server (RFC 8414) and OpenID provider (OpenID Connect Discovery 1.0). */
export const serverMetadata = (baseUrl: string, { mcp, api }: Resources): ProviderMetadata => {
  const urlOf = ({ path }: { path: string }) => `${baseUrl}${path}`
  return {
    issuer: baseUrl,
    authorization_endpoint: urlOf(authorizeOAuthClient),
    token_endpoint: urlOf(issueTokens),
    userinfo_endpoint: urlOf(userInfo),
    jwks_uri: urlOf(jsonWebKeySet),
    registration_endpoint: urlOf(registerOAuthClient),
    revocation_endpoint: urlOf(revokeToken),
    introspection_endpoint: urlOf(introspectToken),
    end_session_endpoint: urlOf(endSession),
    scopes_supported: [...new Set([...MCP_SCOPES, ...APP_SCOPES])],
    claims_supported:
      'sub iss aud exp iat auth_time nonce at_hash sid name preferred_username picture zoneinfo org_id org_name org_role email email_verified'.split(
        ' ',
      ),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    token_endpoint_auth_methods_supported: ['none', ...WITH_SECRET],
    revocation_endpoint_auth_methods_supported: ['none', ...WITH_SECRET],
    introspection_endpoint_auth_methods_supported: WITH_SECRET,
    code_challenge_methods_supported: ['S256'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    // The default of a missing value is true.
    request_uri_parameter_supported: false,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    protected_resources: [mcp, api],
  }
}
