import { Type } from '@sinclair/typebox'
import { ClientSecretBasic, Configuration } from 'openid-client'
import {
  createProvider,
  type Provider,
  type ProviderSettings,
  readResource,
  tuned,
} from './provider.ts'

const User = Type.Object({
  data: Type.Object({ id: Type.String(), confirmed_email: Type.Optional(Type.String()) }),
})

/**
 * Plain OAuth 2.0. An address is told only where it is confirmed, and not to every app.
 * https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 */
export const twitter = (settings: ProviderSettings): Provider => {
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
  const configuration = tuned(
    new Configuration(metadata, clientId, clientSecret, ClientSecretBasic(clientSecret)),
    settings,
  )
  const userUrl = new URL(userinfoUrl)
  userUrl.searchParams.set('user.fields', 'confirmed_email')
  return createProvider({
    configuration: async () => configuration,
    scope: 'users.read tweet.read users.email',
    openIdConnect: false,
    async readAccount(_, tokens) {
      const { data } = await readResource(configuration, tokens, userUrl.href, User)
      const email = data.confirmed_email || null
      return { subject: data.id, email, emailVerified: email !== null }
    },
  })
}
