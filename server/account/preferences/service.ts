import { type Preference, Preferences } from '../../../shared/schemas/profile.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { literalError } from '../../platform/http/validate.ts'
import { findPreferences, savePreference } from './store.ts'

const DEFAULTS: Preferences = { auto_fetch_urls: 'ask', auto_learn_urls: 'off' }

export type PreferenceService = ReturnType<typeof createPreferenceService>

export const createPreferenceService = ({ db }: Database) => ({
  async get(caller: Caller): Promise<Preferences> {
    return { ...DEFAULTS, ...(await findPreferences(db, caller.userId)) }
  },

  /** @throws ApiError 404 for an unknown key, 422 for a value that the key does not take. */
  async set(caller: Caller, key: string, given: unknown): Promise<Preference> {
    const values = valuesOf(key)
    if (!values) throw new ApiError(404, 'Unknown preference')
    const value = values.find((candidate) => candidate === given)
    if (value === undefined)
      throw new ApiError(422, [{ loc: ['body', 'value'], ...literalError(values) }])
    await savePreference(db, caller.userId, key, value)
    return { key, value }
  },
})

/** What a key may be set to, as the contract lists it. */
const valuesOf = (key: string): string[] | undefined => {
  const [, schema] = Object.entries(Preferences.properties).find(([name]) => name === key) ?? []
  return schema?.anyOf.map((literal) => literal.const)
}
