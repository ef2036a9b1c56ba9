import type { OAuthProvider } from '../../../../shared/schemas/oauth.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import type { Provider, ProviderSettings } from './provider.ts'
import { twitter } from './twitter.ts'

export type Providers = ReadonlyMap<string, { name: OAuthProvider; provider: Provider }>

const create = { google, github, twitter } as const

/** The providers that are configured, by name. */
export const createProviders = (
  settings: Record<OAuthProvider, ProviderSettings | undefined>,
): Providers => {
  const names = Object.keys(create) as OAuthProvider[]
  return new Map(
    names.flatMap((name) => {
      const given = settings[name]
      return given ? [[name, { name, provider: create[name](given) }]] : []
    }),
  )
}
