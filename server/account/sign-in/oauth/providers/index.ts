import {
  OAUTH_PROVIDERS,
  type OAuthProvider,
} from '../../../../../shared/contract/oauth-sign-in.ts'
import type { Fetcher } from '../../../../platform/fetch/fetcher.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import {
  createOpenIdProvider,
  type OpenIdProviderClient,
  type OpenIdProviderOptions,
} from './openid.ts'
import type { OAuthProviderClient, OAuthProviderSettings, ProviderRow } from './provider.ts'
import { twitter } from './twitter.ts'

/** All built-in providers. Configuration, validation, buttons and accounts read these rows. */
export const oauthProviders: Record<OAuthProvider, ProviderRow> = { google, github, twitter }

export interface ConfiguredProvider {
  name: string
  label: string
  /**
   * Whether an address that both sides have verified opens an account. Without it, the owner of the account
   * connects the provider while signed in.
   */
  opensAccounts: boolean
  provider: OAuthProviderClient
  /** Present for an OpenID provider that the operator has configured. */
  openId?: { clientId: string } & Pick<OpenIdProviderClient, 'readLogoutToken'>
}

export type Providers = ReadonlyMap<string, ConfiguredProvider>

/** The providers that the sign-in pages offer. */
export const listProviders = (providers: Providers): { name: string; label: string }[] =>
  [...providers.values()].map(({ name, label }) => ({ name, label }))

interface ProviderOptions {
  oauth: Record<OAuthProvider, OAuthProviderSettings | undefined>
  openId: readonly OpenIdProviderOptions[]
}

/** @returns the built-in providers that are configured. */
export const createBuiltInProviders = (oauth: ProviderOptions['oauth']): ConfiguredProvider[] =>
  OAUTH_PROVIDERS.flatMap((name): ConfiguredProvider[] => {
    const { label, create } = oauthProviders[name]
    const settings = oauth[name]
    return settings ? [{ name, label, opensAccounts: true, provider: create(settings) }] : []
  })

/** @returns the configured providers by name. */
export const createProviders = (
  { oauth, openId }: ProviderOptions,
  fetcher: Pick<Fetcher, 'exchange'>,
): Providers => {
  const builtIn = createBuiltInProviders(oauth)
  const others = openId.map((settings): ConfiguredProvider => {
    const provider = createOpenIdProvider(settings, fetcher)
    const { name, label, clientId } = settings
    const { readLogoutToken } = provider
    return { name, label, opensAccounts: false, provider, openId: { clientId, readLogoutToken } }
  })
  return new Map([...builtIn, ...others].map((provider) => [provider.name, provider]))
}
