import { ClientSecretPost, Configuration, clockTolerance, discovery } from 'openid-client'
import {
  accountOfClaims,
  createOAuthProvider,
  httpOptions,
  type OAuthProviderClient,
  type OAuthProviderSettings,
  type ProviderRow,
  withHttpOptions,
} from './provider.ts'

const ISSUER = 'https://accounts.google.com'
const CLOCK_TOLERANCE_SECONDS = 30

/** OpenID Connect. The endpoints are discovered from the issuer at the first sign-in. */
const create = (settings: OAuthProviderSettings): OAuthProviderClient => {
  let discovered: Promise<Configuration> | undefined
  return createOAuthProvider({
    configuration: () => {
      discovered ??= discover(settings).catch((error) => {
        // The next sign-in retries.
        discovered = undefined
        throw error
      })
      return discovered
    },
    scope: 'openid email',
    openIdConnect: true,
    async readAccount(configuration, tokens) {
      const claims = tokens.claims()
      if (!claims) throw new Error('the provider sent no ID token')
      return accountOfClaims(configuration, tokens, claims)
    },
  })
}

const discover = async (settings: OAuthProviderSettings): Promise<Configuration> => {
  const { clientId, clientSecret, issuer = ISSUER, authorizeUrl, tokenUrl, userinfoUrl } = settings
  const auth = ClientSecretPost(clientSecret)
  const found = await discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    auth,
    httpOptions(settings),
  )
  const { supportsPKCE: _, ...known } = found.serverMetadata()
  const metadata = {
    ...known,
    ...(authorizeUrl && { authorization_endpoint: authorizeUrl }),
    ...(tokenUrl && { token_endpoint: tokenUrl }),
    ...(userinfoUrl && { userinfo_endpoint: userinfoUrl }),
  }
  const tolerant = { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  return withHttpOptions(new Configuration(metadata, clientId, tolerant, auth), settings)
}

export const google: ProviderRow = { label: 'Google', hasIssuer: true, create }
