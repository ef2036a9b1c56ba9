import { type Static, Type } from '@sinclair/typebox'
import { Nullable } from './common.ts'

export const Profile = Type.Object({
  display_name: Type.String(),
  avatar_url: Nullable(Type.String()),
  email: Type.String(),
  username: Type.String(),
})
export type Profile = Static<typeof Profile>

export const UpdateProfile = Type.Object({
  display_name: Type.String({ minLength: 1, maxLength: 50, trim: true, examples: ['Ada'] }),
})
export type UpdateProfile = Static<typeof UpdateProfile>

export const UpdatedProfile = Type.Omit(Profile, ['username'])
export type UpdatedProfile = Static<typeof UpdatedProfile>

export const Avatar = Type.Object({
  avatar_url: Type.String({
    description:
      'A path on this server. The content never changes, so it can be cached indefinitely.',
  }),
})
export type Avatar = Static<typeof Avatar>
