import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { ProviderMetadata } from '../../../../shared/contract/oauth-metadata.ts'
import type { FoundGrant } from './store.ts'

/** The content of an ID token that an app sends back. */
export interface IdTokenHint {
  userId: string
  clientId: string
  signInId: string | undefined
}

/** The tokens that an ID token is issued with. */
export interface Issued {
  /** Those that the user agreed to. */
  scopes: readonly AppScope[]
  /** Of the authorization request; null in a refreshed token. */
  nonce: string | null
  accessToken: string
}

/** The part of an OpenID provider in the authorization server. */
export interface OpenIdProvider {
  metadata: Partial<ProviderMetadata>
  idToken(grant: FoundGrant, issued: Issued): Promise<string>
  /** @returns undefined for a token that this server did not sign. An expired one is valid as a hint. */
  readHint(token: string): Promise<IdTokenHint | undefined>
}

/** Undefined where the provider is turned off. */
export type FindOpenId = () => OpenIdProvider | undefined
