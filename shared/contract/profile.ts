import { Type } from '@sinclair/typebox'
import { MessageResponse } from '../schemas/common.ts'
import { Avatar, Profile, UpdatedProfile, UpdateProfile } from '../schemas/profile.ts'
import { endpoint } from './endpoint.ts'

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
  success: [200, UpdatedProfile],
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
  errors: {
    400: ['picture_type_not_allowed', 'picture_too_large', 'picture_not_readable'],
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
