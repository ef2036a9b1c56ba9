import { Type } from '@sinclair/typebox'
import { Message } from '../schemas/common.ts'
import {
  Avatar,
  Instructions,
  Preference,
  Preferences,
  Profile,
  SetPreference,
  UpdatedProfile,
  UpdateProfile,
} from '../schemas/profile.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Profile'

export const getInstructions = endpoint({
  name: 'getInstructions',
  method: 'GET',
  path: '/api/auth/instructions',
  tag,
  summary: 'The caller’s custom instructions',
  credential: 'bearer',
  success: [200, Instructions],
})

export const setInstructions = endpoint({
  name: 'setInstructions',
  method: 'PUT',
  path: '/api/auth/instructions',
  tag,
  summary: 'Replace the custom instructions',
  credential: 'bearer',
  body: Instructions,
  success: [200, Message],
  errors: [400],
})

export const getProfile = endpoint({
  name: 'getProfile',
  method: 'GET',
  path: '/api/profile',
  tag,
  summary: 'The caller’s profile',
  credential: 'bearer',
  success: [200, Profile],
  errors: [404],
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
  summary: 'Upload a picture: JPEG, PNG or WebP up to 5 MB, kept as a 200x200 WebP',
  credential: 'bearer',
  upload: { field: 'file', maxBytes: 5 * 1024 * 1024 },
  success: [200, Avatar],
  errors: [400],
})

export const deleteAvatar = endpoint({
  name: 'deleteAvatar',
  method: 'DELETE',
  path: '/api/profile/avatar',
  tag,
  summary: 'Remove the picture',
  credential: 'bearer',
  success: [200, Message],
})

export const getAvatar = endpoint({
  name: 'getAvatar',
  method: 'GET',
  path: '/api/avatars/{file}',
  tag,
  summary: 'A picture under its unguessable name, or the one of initials that stands in for it',
  credential: 'none',
  params: Type.Object({ file: Type.String() }),
  success: [200, null],
  errors: [404],
})

export const getPreferences = endpoint({
  name: 'getPreferences',
  method: 'GET',
  path: '/api/preferences',
  tag,
  summary: 'All preferences, defaults filled in',
  credential: 'bearer',
  success: [200, Preferences],
})

export const setPreference = endpoint({
  name: 'setPreference',
  method: 'PUT',
  path: '/api/preferences/{key}',
  tag,
  summary: 'Set one preference',
  credential: 'bearer',
  params: Type.Object({ key: Type.String({ examples: ['auto_fetch_urls'] }) }),
  body: SetPreference,
  success: [200, Preference],
  errors: [404],
})
