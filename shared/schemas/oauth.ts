import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp } from './common.ts'

export const OAuthProvider = OneOf(['google', 'github', 'twitter'])
export type OAuthProvider = Static<typeof OAuthProvider>

export const OAuthAuthorize = Type.Object({
  authorize_url: Type.String({ description: 'Where to send the browser.' }),
  redirect_uri: Type.String({ description: 'Where the provider sends it back to.' }),
})
export type OAuthAuthorize = Static<typeof OAuthAuthorize>

export const OAuthConnection = Type.Object({
  provider: OAuthProvider,
  email: Nullable(Type.String()),
  connected_at: Timestamp(),
})
export type OAuthConnection = Static<typeof OAuthConnection>
