import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse, Nullable } from './common.ts'
import { endpoint } from './endpoint.ts'

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

const tag = 'Profile'

export const getProfile = endpoint({
  name: 'getProfile',
  method: 'GET',
  path: '/api/profile',
  tag,
  summary: 'Get the caller’s profile',
  credential: 'bearer',
  success: [200, Profile],
  errors: { 404: ['user_not_found'] },
})

export const updateProfile = endpoint({
  name: 'updateProfile',
  method: 'PUT',
  path: '/api/profile',
  tag,
  summary: 'Change the display name',
  credential: 'bearer',
  body: UpdateProfile,
  isIdempotent: true,
  success: [200, UpdatedProfile],
  affects: ['getProfile', 'me', 'currentUser'],
})

export const uploadAvatar = endpoint({
  name: 'uploadAvatar',
  method: 'POST',
  path: '/api/profile/avatar',
  tag,
  summary: 'Upload an avatar: JPEG, PNG or WebP of up to 5 MB, stored as a 200x200 WebP',
  credential: 'bearer',
  upload: { field: 'file', maxBytes: 5 * 1024 * 1024 },
  success: [200, Avatar],
  affects: ['getProfile', 'me', 'currentUser'],
  errors: {
    400: [
      'picture_type_not_allowed',
      'picture_too_large',
      'picture_not_readable',
      'too_many_pixels',
    ],
    429: ['too_many_pictures'],
  },
})

export const deleteAvatar = endpoint({
  name: 'deleteAvatar',
  method: 'DELETE',
  path: '/api/profile/avatar',
  tag,
  summary: 'Delete the avatar',
  credential: 'bearer',
  success: [200, MessageResponse],
  affects: ['getProfile', 'me', 'currentUser'],
})

export const getAvatar = endpoint({
  name: 'getAvatar',
  method: 'GET',
  path: '/api/avatars/{file}',
  tag,
  summary: 'Get an avatar by its unguessable file name, or the default avatar with initials',
  credential: 'none',
  params: Type.Object({ file: Type.String({ examples: ['initials-41-3.svg'] }) }),
  download: ['image/webp', 'image/svg+xml'],
  success: [200, null],
  errors: { 404: ['picture_not_found'] },
})
