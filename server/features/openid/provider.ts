import { endSession, introspectToken, userInfo } from '../../../shared/contract/index.ts'
import type { ProviderMetadata } from '../../../shared/contract/oauth-metadata.ts'
import { WITH_SECRET } from '../../account/access/oauth-server/metadata.ts'
import type { OpenIdProvider } from '../../account/access/oauth-server/openid.ts'
import { userClaims } from './claims.ts'
import type { IdTokens } from './id-tokens.ts'

/** The part of the OpenID provider in the authorization server. */
export const createProvider = (idTokens: IdTokens, baseUrl: string): OpenIdProvider => ({
  metadata: metadataOf(baseUrl),

  idToken: (grant, { scopes, nonce, accessToken }) =>
    idTokens.sign({
      clientId: grant.clientId,
      claims: userClaims(grant, scopes, baseUrl),
      signInId: grant.signInId,
      signedInAt: grant.signedInAt,
      nonce,
      accessToken,
    }),

  readHint: idTokens.readHint,
})

/** OpenID Connect Discovery 1.0, beside the metadata of the authorization server. */
const metadataOf = (baseUrl: string): Partial<ProviderMetadata> => {
  const urlOf = ({ path }: { path: string }) => `${baseUrl}${path}`
  return {
    userinfo_endpoint: urlOf(userInfo),
    introspection_endpoint: urlOf(introspectToken),
    end_session_endpoint: urlOf(endSession),
    claims_supported:
      'sub iss aud exp iat auth_time nonce at_hash sid name preferred_username picture zoneinfo org_id org_name org_role email email_verified'.split(
        ' ',
      ),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    introspection_endpoint_auth_methods_supported: WITH_SECRET,
    claims_parameter_supported: false,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }
}
