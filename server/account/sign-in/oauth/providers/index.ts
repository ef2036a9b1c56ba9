import {
  OAUTH_PROVIDERS,
  type OAuthProvider,
} from '../../../../../shared/contract/oauth-sign-in.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import type { OAuthProviderClient, OAuthProviderSettings, ProviderRow } from './provider.ts'
import { twitter } from './twitter.ts'

/** All supported providers. Configuration, validation, buttons and accounts read these rows. */
export const oauthProviders: Record<OAuthProvider, ProviderRow> = { google, github, twitter }

export interface ConfiguredProvider {
  name: OAuthProvider
  label: string
  provider: OAuthProviderClient
}

export type Providers = ReadonlyMap<string, ConfiguredProvider>

/** The providers that the sign-in pages offer. */
export const listProviders = (providers: Providers): { name: OAuthProvider; label: string }[] =>
  [...providers.values()].map(({ name, label }) => ({ name, label }))

/** @returns the configured providers by name. */
export const createProviders = (
  settings: Record<OAuthProvider, OAuthProviderSettings | undefined>,
): Providers =>
  new Map(
    OAUTH_PROVIDERS.flatMap((name) => {
      const { label, create } = oauthProviders[name]
      const configured = settings[name]
      return configured ? [[name, { name, label, provider: create(configured) }]] : []
    }),
  )
