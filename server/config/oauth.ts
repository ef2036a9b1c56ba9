import { OAUTH_PROVIDERS, type OAuthProvider } from '../../shared/contract/oauth-sign-in.ts'
import { oauthProviders } from '../account/sign-in/oauth/providers/index.ts'
import { setting, type Variable, variable } from './declaration.ts'
import { secureUrl, text } from './parsers.ts'

type OAuthPart = 'ID' | 'SECRET' | 'AUTHORIZE_URL' | 'TOKEN_URL' | 'USERINFO_URL' | 'ISSUER'

type OAuthVariable = `SVC_OAUTH_${Uppercase<OAuthProvider>}_${OAuthPart}`

export const oauthVariable = <P extends OAuthPart>(provider: OAuthProvider, part: P) =>
  `SVC_OAUTH_${provider.toUpperCase() as Uppercase<OAuthProvider>}_${part}` as const

/** The variables of all OAuth providers. */
export const oauthVariables = Object.fromEntries(
  OAUTH_PROVIDERS.flatMap((name) => {
    const { label, hasIssuer } = oauthProviders[name]
    return [
      [
        oauthVariable(name, 'ID'),
        setting('sign_in', variable(`Client id for signing in with ${label}`, text)),
      ],
      [
        oauthVariable(name, 'SECRET'),
        setting('sign_in', variable(`Client secret for ${label}`, text), { isSecret: true }),
      ],
      [
        oauthVariable(name, 'AUTHORIZE_URL'),
        variable(`Overrides the authorize endpoint of ${label}`, secureUrl),
      ],
      [
        oauthVariable(name, 'TOKEN_URL'),
        variable(`Overrides the token endpoint of ${label}`, secureUrl),
      ],
      [
        oauthVariable(name, 'USERINFO_URL'),
        variable(`Overrides the user endpoint of ${label}`, secureUrl),
      ],
      ...(hasIssuer
        ? [[oauthVariable(name, 'ISSUER'), variable(`Overrides the issuer of ${label}`, secureUrl)]]
        : []),
    ]
  }),
) as Record<OAuthVariable, Variable<string>>
