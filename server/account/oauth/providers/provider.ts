import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchProtectedResource,
  ResponseBodyError,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client'
import { refusal } from '../failure.ts'

/** What the operator configures for a provider; the URLs point it elsewhere. */
export interface ProviderSettings {
  clientId: string
  clientSecret: string
  issuer: string | undefined
  authorizeUrl: string | undefined
  tokenUrl: string | undefined
  userinfoUrl: string | undefined
}

/** Who somebody is at a provider. */
export interface ProviderAccount {
  /** Never changes and is never given to another, unlike an address. */
  subject: string
  email: string | null
  /** Whether the provider says that the address is theirs. */
  emailVerified: boolean
}

/** One sign-in: what goes out with the browser, and what must match when it is back. */
export interface Attempt {
  redirectUri: string
  state: string
  nonce: string
  /** Of PKCE (RFC 7636). */
  verifier: string
}

/** What the browser brings back. */
export interface Grant {
  code: string
  /** The provider's name for itself (RFC 9207). */
  iss: string | undefined
}

export interface Provider {
  /** Where to send the browser. */
  authorizeUrl(attempt: Attempt): Promise<string>
  /**
   * Exchanges the code for who the person is.
   * @throws when the provider is not there, refuses, or answers what cannot be trusted.
   */
  account(attempt: Attempt, grant: Grant): Promise<ProviderAccount>
}

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

const TIMEOUT_SECONDS = 10

/**
 * The authorization code grant with PKCE and state, the same for every provider; with OpenID
 * Connect also a nonce.
 */
export const createProvider = (options: {
  configuration(): Promise<Configuration>
  scope: string
  openIdConnect: boolean
  readAccount(configuration: Configuration, tokens: Tokens): Promise<ProviderAccount>
}): Provider => ({
  async authorizeUrl({ redirectUri, state, nonce, verifier }) {
    const url = buildAuthorizationUrl(await options.configuration(), {
      redirect_uri: redirectUri,
      scope: options.scope,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(options.openIdConnect && { nonce }),
    })
    return url.href
  },

  async account({ redirectUri, state, nonce, verifier }, { code, iss }) {
    const configuration = await options.configuration()
    const callback = new URL(redirectUri)
    callback.search = new URLSearchParams({
      code,
      state,
      ...(options.openIdConnect && iss && { iss }),
    }).toString()
    const tokens = await authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      ...(options.openIdConnect && { expectedNonce: nonce }),
    }).catch((cause) => {
      throw cause instanceof ResponseBodyError ? refusal(cause.error, cause) : cause
    })
    return options.readAccount(configuration, tokens)
  },
})

/**
 * How a provider is asked. Plain HTTP is for one on this machine: no other gets past the
 * configuration.
 */
export const manners = ({ issuer, authorizeUrl, tokenUrl, userinfoUrl }: ProviderSettings) => ({
  timeout: TIMEOUT_SECONDS,
  execute: [issuer, authorizeUrl, tokenUrl, userinfoUrl].some((url) => url?.startsWith('http:'))
    ? [allowInsecureRequests]
    : [],
})

/** Applies the manners to a configuration. */
export const tuned = (configuration: Configuration, settings: ProviderSettings): Configuration => {
  const { timeout, execute } = manners(settings)
  configuration.timeout = timeout
  for (const apply of execute) apply(configuration)
  return configuration
}

/**
 * Reads what a provider's API says with the person's token.
 * @throws for any answer but the one that `schema` describes.
 */
export const readResource = async <T extends TSchema>(
  configuration: Configuration,
  tokens: Tokens,
  url: string,
  schema: T,
): Promise<Static<T>> => {
  const headers = new Headers({ accept: 'application/json' })
  const response = await fetchProtectedResource(
    configuration,
    tokens.access_token,
    new URL(url),
    'GET',
    null,
    headers,
  )
  if (!response.ok) throw new Error(`the provider’s user endpoint answered ${response.status}`)
  const body: unknown = await response.json()
  if (!Value.Check(schema, body)) throw new Error('the provider’s user endpoint answered otherwise')
  return body
}
