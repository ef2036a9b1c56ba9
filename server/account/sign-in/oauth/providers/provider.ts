import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  fetchProtectedResource,
  fetchUserInfo,
  ResponseBodyError,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client'
import { budgets } from '../../../../platform/budgets.ts'
import { createLimitedFetch } from '../../../../platform/fetch/limited-fetch.ts'
import { providerRejection } from '../errors.ts'

/** The configuration of a provider. The URLs replace its defaults. */
export interface OAuthProviderSettings {
  clientId: string
  clientSecret: string
  issuer: string | undefined
  authorizeUrl: string | undefined
  tokenUrl: string | undefined
  userinfoUrl: string | undefined
}

/** The account of a user at a provider. */
export interface ProviderAccount {
  /** The id at the provider. Unlike an address, it never changes and is never reassigned. */
  subject: string
  email: string | null
  /** Whether the provider has verified the address. */
  emailVerified: boolean
  /** Whether the provider says that it is not verified. Some, such as Entra ID, say nothing. */
  isEmailDoubted?: boolean
  /** The session at an OpenID provider, which can end the session here. */
  session?: ProviderSession
}

/** The session at an OpenID provider, as a session remembers it. */
export interface ProviderSession {
  /** The id of the session at the provider. */
  sid: string | null
  /** The hint for a sign-out at the provider; null if it is too long for a URL. */
  idToken: string | null
  /** The page of the provider that signs out. */
  endSessionEndpoint: string | null
}

/** One sign-in: the parameters of the authorization request, which the callback must match. */
export interface Attempt {
  redirectUri: string
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  verifier: string
}

/** The parameters of the callback. */
export interface CallbackGrant {
  code: string
  /** The issuer (RFC 9207). */
  iss: string | undefined
}

/** The declaration of a provider. */
export interface ProviderRow {
  /** Shown on buttons and in the descriptions of the config variables. */
  label: string
  /** Whether an issuer can be configured (OpenID Connect). */
  hasIssuer: boolean
  create(settings: OAuthProviderSettings): OAuthProviderClient
}

export type OAuthProviderClient = ReturnType<typeof createOAuthProvider>

export type ProviderTokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** The authorization code grant with PKCE and state, and with a nonce for OpenID Connect. */
export const createOAuthProvider = (options: {
  configuration(): Promise<Configuration>
  scope: string
  openIdConnect: boolean
  readAccount(configuration: Configuration, tokens: ProviderTokens): Promise<ProviderAccount>
}) => ({
  /** @returns the URL of the authorization request. */
  async authorizeUrl({ redirectUri, state, nonce, verifier }: Attempt): Promise<string> {
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

  /**
   * Exchanges the code for the user's account.
   * @throws when the provider is unreachable, refuses, or sends an invalid response.
   */
  async account(
    { redirectUri, state, nonce, verifier }: Attempt,
    { code, iss }: CallbackGrant,
  ): Promise<ProviderAccount> {
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
      throw cause instanceof ResponseBodyError ? providerRejection(cause.error, cause) : cause
    })
    return options.readAccount(configuration, tokens)
  },
})

/** Plain HTTP is allowed, because the configuration accepts it for this machine only. */
export const httpOptions = ({
  issuer,
  authorizeUrl,
  tokenUrl,
  userinfoUrl,
}: OAuthProviderSettings) => ({
  timeout: budgets.oauthProvider.ms / 1_000,
  [customFetch]: createLimitedFetch(budgets.oauthProvider),
  execute: [issuer, authorizeUrl, tokenUrl, userinfoUrl].some((url) => url?.startsWith('http:'))
    ? [allowInsecureRequests]
    : [],
})

export const withHttpOptions = (
  configuration: Configuration,
  settings: OAuthProviderSettings,
): Configuration => {
  const { timeout, execute, ...options } = httpOptions(settings)
  configuration.timeout = timeout
  configuration[customFetch] = options[customFetch]
  for (const apply of execute) apply(configuration)
  return configuration
}

/** The subject and the address of an ID token, or of the user endpoint if the token has no address. */
export const accountOfClaims = async (
  configuration: Configuration,
  tokens: ProviderTokens,
  claims: { sub: string; email?: unknown; email_verified?: unknown },
): Promise<Omit<ProviderAccount, 'session'>> => {
  const { userinfo_endpoint } = configuration.serverMetadata()
  const { email, email_verified } =
    claims.email === undefined && userinfo_endpoint
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
  return {
    subject: claims.sub,
    email: typeof email === 'string' ? email : null,
    emailVerified: email_verified === true,
    isEmailDoubted: email_verified !== undefined && email_verified !== true,
  }
}

/** @throws for an error status, and for a body that does not match `schema`. */
export const fetchProviderApi = async <T extends TSchema>(
  configuration: Configuration,
  tokens: ProviderTokens,
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
  if (!response.ok) throw new Error(`the user endpoint of the provider returned ${response.status}`)
  const body: unknown = await response.json()
  if (!Value.Check(schema, body))
    throw new Error('the user endpoint of the provider returned an unexpected body')
  return body
}
