import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from './common.ts'
import { endpoint } from './endpoint.ts'

export const Preferences = Type.Object({
  auto_fetch_urls: OneOf(['always', 'ask', 'never']),
  auto_learn_urls: OneOf(['on', 'off']),
})
export type Preferences = Static<typeof Preferences>

export const SetPreference = Type.Object({
  value: Type.Unknown({
    description: 'One of the allowed values of the key.',
    examples: ['always'],
  }),
})
export type SetPreference = Static<typeof SetPreference>

export const Preference = Type.Object({ key: Type.String(), value: Type.String() })
export type Preference = Static<typeof Preference>

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
  isIdempotent: true,
  success: [200, Preference],
  affects: ['getPreferences'],
  errors: { 404: ['unknown_preference'] },
})
