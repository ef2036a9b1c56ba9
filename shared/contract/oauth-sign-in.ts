import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse, Nullable, Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A new provider needs a name here and a row in `server/account/sign-in/oauth/providers/`. */
export const OAUTH_PROVIDERS = ['google', 'github', 'twitter'] as const
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number]

/** The name of a built-in provider, or of an OpenID provider that the operator has configured. */
const OAuthProviderName = Type.String({
  pattern: '^[a-z0-9_]{1,30}$',
  description: `${OAUTH_PROVIDERS.join(', ')}, or the name of a configured OpenID provider.`,
  examples: [OAUTH_PROVIDERS[1]],
})

/** Other names of providers, in the exports of other systems. */
export const OAUTH_PROVIDER_ALIASES: Readonly<Record<string, OAuthProvider>> = { x: 'twitter' }

export const OAuthAuthorize = Type.Object({
  authorize_url: Type.String({ description: 'The URL to open in the browser.' }),
  redirect_uri: Type.String({ description: 'The URL that the provider redirects to.' }),
})
export type OAuthAuthorize = Static<typeof OAuthAuthorize>

export const OAuthProviders = Type.Object({
  providers: Type.Array(Type.Object({ name: OAuthProviderName, label: Type.String() }), {
    description: 'The providers that the server is configured for.',
  }),
})
export type OAuthProviders = Static<typeof OAuthProviders>

export const OAuthConnection = Type.Object({
  provider: OAuthProviderName,
  email: Nullable(Type.String()),
  connected_at: Timestamp(),
})
export type OAuthConnection = Static<typeof OAuthConnection>

const tag = 'OAuth'
const params = Type.Object({
  provider: Type.String({
    description: `One of ${OAUTH_PROVIDERS.join(', ')}, or the name of a configured OpenID provider`,
    examples: [OAUTH_PROVIDERS[1]],
  }),
})

export const listOAuthProviders = endpoint({
  name: 'listOAuthProviders',
  method: 'GET',
  path: '/api/auth/oauth/providers',
  tag,
  summary: 'List the providers to sign in with',
  credential: 'none',
  success: [200, OAuthProviders],
})

export const authorizeOAuth = endpoint({
  name: 'authorizeOAuth',
  method: 'GET',
  path: '/api/auth/oauth/{provider}/authorize',
  tag,
  summary: 'Start a sign-in with a provider',
  credential: 'none',
  params,
  query: Type.Object({
    frontend_origin: Type.Optional(
      Type.String({ description: 'The allowed origin to return to.' }),
    ),
  }),
  success: [200, OAuthAuthorize],
  errors: {
    400: ['oauth_provider_unknown', 'oauth_origin_not_allowed'],
    503: ['oauth_provider_unreachable'],
  },
})

export const oauthCallback = endpoint({
  name: 'oauthCallback',
  method: 'GET',
  path: '/api/auth/oauth/{provider}/callback',
  tag,
  summary: 'Complete a sign-in with a provider; redirects to the frontend',
  credential: 'none',
  params,
  query: Type.Object({
    code: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
    iss: Type.Optional(
      Type.String({ description: 'The issuer identifier of the provider (RFC 9207).' }),
    ),
  }),
  isIdempotent: false,
  success: [302, null],
  errors: { 400: ['oauth_provider_unknown', 'oauth_state_invalid'] },
})

export const listConnections = endpoint({
  name: 'listConnections',
  method: 'GET',
  path: '/api/auth/oauth/connections',
  tag,
  summary: 'List the providers that are connected to the account',
  credential: 'jwt',
  success: [200, Type.Array(OAuthConnection)],
})

export const connectOAuth = endpoint({
  name: 'connectOAuth',
  method: 'POST',
  path: '/api/auth/oauth/{provider}/connect',
  tag,
  summary: 'Start to connect a provider to the account; ends in the settings of the console',
  credential: 'jwt',
  params,
  success: [200, OAuthAuthorize],
  errors: { 400: ['oauth_provider_unknown'], 503: ['oauth_provider_unreachable'] },
})

export const disconnectOAuth = endpoint({
  name: 'disconnectOAuth',
  method: 'DELETE',
  path: '/api/auth/oauth/{provider}',
  tag,
  summary: 'Disconnect a provider, unless it is the only sign-in method',
  credential: 'jwt',
  params,
  success: [200, MessageResponse],
  affects: ['listConnections'],
  errors: {
    400: ['oauth_provider_unknown', 'last_sign_in_method'],
    404: ['oauth_provider_not_connected'],
  },
})
