import {
  ClientSecretPost,
  Configuration,
  clockTolerance,
  discovery,
  fetchUserInfo,
} from 'openid-client'
import { createProvider, manners, type Provider, type ProviderSettings, tuned } from './provider.ts'

const ISSUER = 'https://accounts.google.com'
const CLOCK_TOLERANCE_SECONDS = 30

/** OpenID Connect: where things are is discovered from the issuer, when somebody first signs in. */
export const google = (settings: ProviderSettings): Provider => {
  let discovered: Promise<Configuration> | undefined
  return createProvider({
    configuration: () => {
      discovered ??= discover(settings).catch((error) => {
        // The next sign-in tries again.
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
      const { userinfo_endpoint } = configuration.serverMetadata()
      const { email, email_verified } =
        claims.email === undefined && userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      return {
        subject: claims.sub,
        email: typeof email === 'string' ? email : null,
        emailVerified: email_verified === true,
      }
    },
  })
}

const discover = async (settings: ProviderSettings): Promise<Configuration> => {
  const { clientId, clientSecret, issuer = ISSUER, authorizeUrl, tokenUrl, userinfoUrl } = settings
  const auth = ClientSecretPost(clientSecret)
  const found = await discovery(new URL(issuer), clientId, clientSecret, auth, manners(settings))
  const { supportsPKCE: _, ...known } = found.serverMetadata()
  const metadata = {
    ...known,
    ...(authorizeUrl && { authorization_endpoint: authorizeUrl }),
    ...(tokenUrl && { token_endpoint: tokenUrl }),
    ...(userinfoUrl && { userinfo_endpoint: userinfoUrl }),
  }
  const tolerant = { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  return tuned(new Configuration(metadata, clientId, tolerant, auth), settings)
}
