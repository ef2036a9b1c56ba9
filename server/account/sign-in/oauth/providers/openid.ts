import { createRemoteJWKSet, errors, customFetch as jwksFetch } from 'jose'
import {
  allowInsecureRequests,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockTolerance,
  customFetch,
  discovery,
  type ServerMetadata,
} from 'openid-client'
import type { Fetch } from '../../../../../shared/proxies.ts'
import { budgets } from '../../../../platform/budgets.ts'
import type { Fetcher } from '../../../../platform/fetch/fetcher.ts'
import { createGuardedFetch } from '../../../../platform/fetch/guarded-fetch.ts'
import { OAuthFailure } from '../errors.ts'
import {
  CLOCK_TOLERANCE_SECONDS,
  checkId,
  createTokenReader,
  type LogoutToken,
  type TokenReader,
} from './openid-tokens.ts'
import {
  type Attempt,
  accountOfClaims,
  type CallbackGrant,
  createOAuthProvider,
  type ProviderAccount,
  type ProviderTokens,
} from './provider.ts'

/** An OpenID provider that the operator has configured. */
export interface OpenIdProviderOptions {
  /** In paths: the lower-case form of the name in the variables. */
  name: string
  label: string
  issuer: string
  clientId: string
  clientSecret: string
  /** Separated by spaces. */
  scopes: string
}

export type OpenIdProviderClient = ReturnType<typeof createOpenIdProvider>

/** How long the metadata of a provider is used before it is requested again. */
const METADATA_MS = 60 * 60 * 1000
/** How long a key is trusted after the provider has stopped publishing it. */
const KEYS_MS = 5 * 60 * 1000
/** The shortest time between two requests for keys that tokens of unknown senders cause. */
const KEYS_COOLDOWN_MS = 10 * 1000
/** A longer ID token does not fit into the URL of a sign-out. */
const MAX_HINT_LENGTH = 4_096

interface Discovered {
  configuration: Configuration
  tokens: TokenReader
}

/** OpenID Connect Core 1.0 by discovery, with PKCE, a nonce and signed ID tokens. */
export const createOpenIdProvider = (
  settings: OpenIdProviderOptions,
  fetcher: Pick<Fetcher, 'exchange'>,
) => {
  const fetchProvider = createGuardedFetch({
    origin: new URL(settings.issuer).origin,
    ...budgets.oauthProvider,
    fetcher,
  })
  const discovered = cached(() => discover(settings, fetchProvider), METADATA_MS)
  const client = createOAuthProvider({
    configuration: async () => (await discovered()).configuration,
    scope: settings.scopes,
    openIdConnect: true,
    readAccount: async (configuration, tokens) =>
      readAccount((await discovered()).tokens, configuration, tokens),
  })
  return {
    ...client,
    account: (attempt: Attempt, grant: CallbackGrant): Promise<ProviderAccount> =>
      client.account(attempt, grant).catch(rethrow),
    /** @throws LogoutTokenError for an invalid token; another error when the provider is unreachable. */
    readLogoutToken: async (token: string): Promise<LogoutToken> =>
      (await discovered()).tokens.readLogoutToken(token),
  }
}

const discover = async (
  { issuer, clientId, clientSecret }: OpenIdProviderOptions,
  fetchProvider: Fetch,
): Promise<Discovered> => {
  const isInsecure = issuer.startsWith('http:')
  const timeout = budgets.oauthProvider.ms / 1_000
  const found = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout,
    [customFetch]: fetchProvider,
    execute: isInsecure ? [allowInsecureRequests] : [],
  })
  const { supportsPKCE: _, ...metadata } = found.serverMetadata()
  checkUrls(metadata, issuer)
  const tolerant = { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const usesPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
  const authentication = (usesPost ? ClientSecretPost : ClientSecretBasic)(clientSecret)
  const configuration = new Configuration(metadata, clientId, tolerant, authentication)
  configuration.timeout = timeout
  configuration[customFetch] = fetchProvider
  if (isInsecure) allowInsecureRequests(configuration)
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
    timeoutDuration: budgets.oauthProvider.ms,
    cacheMaxAge: KEYS_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    [jwksFetch]: fetchProvider,
  })
  return { configuration, tokens: createTokenReader({ issuer: metadata.issuer, clientId, keys }) }
}

/**
 * Browsers are sent to some of these, and secrets to others: HTTPS, or the origin that the operator chose.
 * @throws for another URL, and for a missing one that is required.
 */
const checkUrls = (metadata: ServerMetadata, issuer: string): void => {
  const { origin } = new URL(issuer)
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata
  const required = { authorization_endpoint, token_endpoint, jwks_uri }
  const { userinfo_endpoint, end_session_endpoint } = metadata
  const optional = { userinfo_endpoint, end_session_endpoint }
  for (const [name, value] of Object.entries({ ...required, ...optional })) {
    if (value === undefined && name in optional) continue
    const url = URL.parse(String(value))
    if (url?.protocol !== 'https:' && (url?.protocol !== 'http:' || url.origin !== origin))
      throw new Error(`${name} of the provider is not an https URL`)
  }
}

const readAccount = async (
  reader: TokenReader,
  configuration: Configuration,
  tokens: ProviderTokens,
): Promise<ProviderAccount> => {
  const idToken = tokens.id_token
  if (idToken === undefined) throw new Error('the provider sent no ID token')
  const claims = await reader.readIdToken(idToken)
  const { end_session_endpoint } = configuration.serverMetadata()
  return {
    ...(await accountOfClaims(configuration, tokens, claims)),
    session: {
      sid: claims.sid === undefined ? null : checkId('sid', claims.sid),
      idToken: idToken.length > MAX_HINT_LENGTH ? null : idToken,
      endSessionEndpoint: end_session_endpoint ?? null,
    },
  }
}

/** `openid-client` checks the times of an ID token too, before its signature. */
const rethrow = (error: unknown): never => {
  const isTime =
    error instanceof errors.JWTExpired ||
    (error instanceof ClientError && error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
  throw isTime ? new OAuthFailure('clock_skew', error) : error
}

/** Loads a value at the first call, and again when it has expired. Parallel calls share one load. */
const cached = <T>(load: () => Promise<T>, ms: number): (() => Promise<T>) => {
  let entry: { value: Promise<T>; expiresAt: number } | undefined
  return () => {
    if (entry && entry.expiresAt > Date.now()) return entry.value
    const loading = { value: load(), expiresAt: Date.now() + ms }
    entry = loading
    loading.value.catch(() => {
      // The next call retries.
      if (entry === loading) entry = undefined
    })
    return loading.value
  }
}
