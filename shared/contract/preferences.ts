import { Type } from '@sinclair/typebox'
import { Preference, Preferences, SetPreference } from '../schemas/preferences.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Profile'

export const getPreferences = endpoint({
  name: 'getPreferences',
  method: 'GET',
  path: '/api/preferences',
  tag,
  summary: 'Get all preferences, including defaults',
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
  errors: { 404: ['unknown_preference'] },
})
