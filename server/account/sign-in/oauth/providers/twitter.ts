import { Type } from '@sinclair/typebox'
import { ClientSecretBasic, Configuration } from 'openid-client'
import {
  createOAuthProvider,
  fetchProviderApi,
  type OAuthProviderClient,
  type OAuthProviderSettings,
  type ProviderRow,
  withHttpOptions,
} from './provider.ts'

const User = Type.Object({
  data: Type.Object({ id: Type.String(), confirmed_email: Type.Optional(Type.String()) }),
})

/**
 * Plain OAuth 2.0. X shares only confirmed addresses, and only with apps that have the permission.
 * https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 */
const create = (settings: OAuthProviderSettings): OAuthProviderClient => {
  const {
    authorizeUrl = 'https://x.com/i/oauth2/authorize',
    tokenUrl = 'https://api.x.com/2/oauth2/token',
    userinfoUrl = 'https://api.x.com/2/users/me',
  } = settings
  const metadata = {
    issuer: 'https://x.com',
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
  }
  const { clientId, clientSecret } = settings
  const configuration = withHttpOptions(
    new Configuration(metadata, clientId, clientSecret, ClientSecretBasic(clientSecret)),
    settings,
  )
  const userUrl = new URL(userinfoUrl)
  userUrl.searchParams.set('user.fields', 'confirmed_email')
  return createOAuthProvider({
    configuration: async () => configuration,
    scope: 'users.read tweet.read users.email',
    openIdConnect: false,
    async readAccount(_, tokens) {
      const { data } = await fetchProviderApi(configuration, tokens, userUrl.href, User)
      const email = data.confirmed_email || null
      return { subject: data.id, email, emailVerified: email !== null }
    },
  })
}

export const twitter: ProviderRow = { label: 'X (Twitter)', hasIssuer: false, create }
