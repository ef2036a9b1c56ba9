import { type Static, Type } from '@sinclair/typebox'
import { ClientSecretPost, Configuration } from 'openid-client'
import {
  createProvider,
  type Provider,
  type ProviderSettings,
  readResource,
  tuned,
} from './provider.ts'

const User = Type.Object({ id: Type.Integer() })
const Email = Type.Object({
  email: Type.String(),
  primary: Type.Boolean(),
  verified: Type.Boolean(),
})
type Email = Static<typeof Email>

/**
 * Plain OAuth 2.0. The address is read beside the user, because most keep it out of their profile.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export const github = (settings: ProviderSettings): Provider => {
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
  const configuration = tuned(
    new Configuration(metadata, clientId, clientSecret, ClientSecretPost(clientSecret)),
    settings,
  )
  return createProvider({
    configuration: async () => configuration,
    scope: 'read:user user:email',
    openIdConnect: false,
    async readAccount(_, tokens) {
      const { id } = await readResource(configuration, tokens, userinfoUrl, User)
      const emails = await readResource(
        configuration,
        tokens,
        `${userinfoUrl}/emails`,
        Type.Array(Email),
      )
      const chosen = choose(emails)
      return {
        subject: String(id),
        email: chosen?.email ?? null,
        emailVerified: chosen?.verified ?? false,
      }
    },
  })
}

const choose = (emails: Email[]): Email | undefined =>
  emails.find(({ primary, verified }) => primary && verified) ??
  emails.find(({ verified }) => verified) ??
  emails.find(({ primary }) => primary)
