import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf } from './common.ts'

export const Profile = Type.Object({
  display_name: Type.String(),
  avatar_url: Nullable(Type.String()),
  email: Type.String(),
  username: Type.String(),
})
export type Profile = Static<typeof Profile>

export const UpdateProfile = Type.Object({
  display_name: Type.String({ minLength: 1, maxLength: 50, trim: true }),
})
export type UpdateProfile = Static<typeof UpdateProfile>

export const UpdatedProfile = Type.Omit(Profile, ['username'])
export type UpdatedProfile = Static<typeof UpdatedProfile>

export const Avatar = Type.Object({
  avatar_url: Type.String({ description: 'A path of this server, cacheable for ever.' }),
})
export type Avatar = Static<typeof Avatar>

export const Preferences = Type.Object({
  auto_fetch_urls: OneOf(['always', 'ask', 'never']),
  auto_learn_urls: OneOf(['on', 'off']),
})
export type Preferences = Static<typeof Preferences>

export const SetPreference = Type.Object({
  value: Type.Unknown({ description: 'One of the values that the key allows.' }),
})
export type SetPreference = Static<typeof SetPreference>

export const Preference = Type.Object({ key: Type.String(), value: Type.String() })
export type Preference = Static<typeof Preference>

export const Instructions = Type.Object({
  instructions: Type.String({
    trim: true,
    description: 'Under 2,000 characters after trimming; empty when unset.',
  }),
})
export type Instructions = Static<typeof Instructions>
