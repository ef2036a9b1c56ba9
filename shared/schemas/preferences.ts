import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from './common.ts'

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
