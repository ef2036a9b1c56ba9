import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp } from './common.ts'

/** A new provider needs a name here and a row in `server/account/sign-in/oauth/providers/`. */
export const OAUTH_PROVIDERS = ['google', 'github', 'twitter'] as const

export const OAuthProvider = OneOf(OAUTH_PROVIDERS)
export type OAuthProvider = Static<typeof OAuthProvider>

export const OAuthAuthorize = Type.Object({
  authorize_url: Type.String({ description: 'The URL to open in the browser.' }),
  redirect_uri: Type.String({ description: 'The URL that the provider redirects to.' }),
})
export type OAuthAuthorize = Static<typeof OAuthAuthorize>

export const OAuthProviders = Type.Object({
  providers: Type.Array(Type.Object({ name: OAuthProvider, label: Type.String() }), {
    description: 'The providers that the server is configured for.',
  }),
})
export type OAuthProviders = Static<typeof OAuthProviders>

export const OAuthConnection = Type.Object({
  provider: OAuthProvider,
  email: Nullable(Type.String()),
  connected_at: Timestamp(),
})
export type OAuthConnection = Static<typeof OAuthConnection>
