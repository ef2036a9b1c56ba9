import { type Static, Type } from '@sinclair/typebox'
import { ClientSecretPost, Configuration } from 'openid-client'
import {
  createOAuthProvider,
  fetchProviderApi,
  type OAuthProviderClient,
  type OAuthProviderSettings,
  type ProviderRow,
  withHttpOptions,
} from './provider.ts'

const User = Type.Object({ id: Type.Integer() })
const Email = Type.Object({
  email: Type.String(),
  primary: Type.Boolean(),
  verified: Type.Boolean(),
})
type Email = Static<typeof Email>

/**
 * Plain OAuth 2.0. The addresses have an endpoint of their own, because most profiles hide them.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
const create = (settings: OAuthProviderSettings): OAuthProviderClient => {
  const {
    authorizeUrl = 'https://github.com/login/oauth/authorize',
    tokenUrl = 'https://github.com/login/oauth/access_token',
    userinfoUrl = 'https://api.github.com/user',
  } = settings
  const metadata = {
    issuer: 'https://github.com/login/oauth',
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
  }
  const { clientId, clientSecret } = settings
  const configuration = withHttpOptions(
    new Configuration(metadata, clientId, clientSecret, ClientSecretPost(clientSecret)),
    settings,
  )
  return createOAuthProvider({
    configuration: async () => configuration,
    scope: 'read:user user:email',
    openIdConnect: false,
    async readAccount(_, tokens) {
      const { id } = await fetchProviderApi(configuration, tokens, userinfoUrl, User)
      const emails = await fetchProviderApi(
        configuration,
        tokens,
        `${userinfoUrl}/emails`,
        Type.Array(Email),
      )
      const chosen = chooseEmail(emails)
      return {
        subject: String(id),
        email: chosen?.email ?? null,
        emailVerified: chosen?.verified ?? false,
      }
    },
  })
}

const chooseEmail = (emails: Email[]): Email | undefined =>
  emails.find(({ primary, verified }) => primary && verified) ??
  emails.find(({ verified }) => verified) ??
  emails.find(({ primary }) => primary)

export const github: ProviderRow = { label: 'GitHub', hasIssuer: false, create }
