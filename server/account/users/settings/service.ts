import {
  getInstructions,
  getPreferences,
  setInstructions,
  setPreference,
} from '../../../../shared/contract/index.ts'
import type { Instructions } from '../../../../shared/contract/instructions.ts'
import { type Preference, Preferences } from '../../../../shared/contract/preferences.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { literalError } from '../../../platform/http/field-errors.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { timezoneNamed } from '../../../platform/timezone.ts'
import {
  findInstructions,
  findPreferences,
  findWriters,
  saveInstructions,
  savePreference,
  saveTimezone,
  type Writer,
} from './store.ts'

const preferenceError = defineErrors({
  unknown_preference: { status: 404, detail: 'Unknown preference' },
  preference_value_not_allowed: (allowed: string[]) => ({
    status: 422,
    detail: [{ loc: ['body', 'value'], ...literalError(allowed) }],
  }),
})

const instructionError = defineErrors({
  instructions_too_long: (limit: number) => ({
    status: 400,
    detail: `Custom instructions must be under ${limit} characters`,
  }),
})

const DEFAULT_PREFERENCES: Preferences = { auto_fetch_urls: 'ask', auto_learn_urls: 'off' }

export type PreferenceService = ReturnType<typeof createPreferenceService>

export const createPreferenceService = ({ db }: Database) => ({
  async get(caller: Caller): Promise<Preferences> {
    return { ...DEFAULT_PREFERENCES, ...(await findPreferences(db, caller.userId)) }
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

/** Whether a user's questions are kept with the events of the activity. */
export type QuestionPreference = ReturnType<typeof createQuestionPreference>

export const createQuestionPreference = ({ db }: Database) => ({
  isKept: async (userId: string): Promise<boolean> =>
    (await findPreferences(db, userId)).keep_questions !== 'off',
  keep: (userId: string, keeps: boolean): Promise<void> =>
    savePreference(db, userId, 'keep_questions', keeps ? 'on' : 'off'),
})

/** The values that the contract allows for a key. */
const allowedValues = (key: string): string[] | undefined => {
  const [, schema] = Object.entries(Preferences.properties).find(([name]) => name === key) ?? []
  return schema?.anyOf.map((literal) => literal.const)
}

/** Characters; the text must be shorter. */
const INSTRUCTIONS_LIMIT = 2000

export type InstructionService = ReturnType<typeof createInstructionService>

export const createInstructionService = ({ db }: Database) => ({
  /** Empty for a credential of an organization: they are the user's own. */
  async get(caller: Caller): Promise<Instructions> {
    return { instructions: caller.isForOrg ? '' : await findInstructions(db, caller.userId) }
  },

  /** @throws ApiError 400 for 2,000 characters or more. */
  async set(caller: Caller, { instructions }: Instructions): Promise<void> {
    if ([...instructions].length >= INSTRUCTIONS_LIMIT)
      throw instructionError('instructions_too_long', INSTRUCTIONS_LIMIT)
    await saveInstructions(db, caller.userId, instructions)
  },
})

/** Stores the time zone that each user's latest request named. */
export type TimezoneService = ReturnType<typeof createTimezoneService>

export const createTimezoneService = ({ db }: Database) => ({
  /**
   * Saves the time zone of a request.
   * @returns the caller with the new time zone; unchanged for an unknown name.
   */
  async record(caller: Caller, name: string): Promise<Caller> {
    const timezone = timezoneNamed(name)
    if (!timezone || timezone === caller.timezone) return caller
    // The time zone is that of an admin.
    if (caller.me.impersonation) return caller
    await saveTimezone(db, caller.userId, timezone)
    return { ...caller, timezone }
  },

  /** @returns the time zones, with the names, by user id. */
  of: (userIds: string[]): Promise<Map<string, Writer>> => findWriters(db, userIds),
})

export const preferenceRoutes = (mount: Mount, preferences: PreferenceService): void => {
  mount(getPreferences, ({ caller }) => preferences.get(caller))
  mount(setPreference, ({ caller, params, body }) =>
    preferences.set(caller, params.key, body.value),
  )
}

export const instructionRoutes = (mount: Mount, instructions: InstructionService): void => {
  mount(getInstructions, ({ caller }) => instructions.get(caller))
  mount(setInstructions, async ({ caller, body }) => {
    await instructions.set(caller, body)
    return { message: 'Custom instructions saved' }
  })
}
