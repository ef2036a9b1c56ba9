import { type Preference, Preferences } from '../../../../shared/contract/preferences.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { preferenceError } from './errors.ts'
import { findPreferences, savePreference } from './store.ts'

const DEFAULTS: Preferences = { auto_fetch_urls: 'ask', auto_learn_urls: 'off' }

export type PreferenceService = ReturnType<typeof createPreferenceService>

export const createPreferenceService = ({ db }: Database) => ({
  async get(caller: Caller): Promise<Preferences> {
    return { ...DEFAULTS, ...(await findPreferences(db, caller.userId)) }
  },

  /** @throws ApiError 404 for an unknown key, 422 for a value that the key does not allow. */
  async set(caller: Caller, key: string, input: unknown): Promise<Preference> {
    const values = allowedValues(key)
    if (!values) throw preferenceError('unknown_preference')
    const value = values.find((candidate) => candidate === input)
    if (value === undefined) throw preferenceError('preference_value_not_allowed', values)
    await savePreference(db, caller.userId, key, value)
    return { key, value }
  },
})

/** The values that the contract allows for a key. */
const allowedValues = (key: string): string[] | undefined => {
  const [, schema] = Object.entries(Preferences.properties).find(([name]) => name === key) ?? []
  return schema?.anyOf.map((literal) => literal.const)
}
