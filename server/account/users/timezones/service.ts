import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { timezoneNamed } from '../../../platform/timezone.ts'
import { findTimezones, saveTimezone } from './store.ts'

/** Stores the time zone that each user's latest request named. */
export const createTimezoneService = ({ db }: Database) => ({
  /**
   * Saves the time zone of a request.
   * @returns the caller with the new time zone; unchanged for an unknown name.
   */
  async note(caller: Caller, name: string): Promise<Caller> {
    const timezone = timezoneNamed(name)
    if (!timezone || timezone === caller.timezone) return caller
    await saveTimezone(db, caller.userId, timezone)
    return { ...caller, timezone }
  },

  /** @returns the time zones by user id. */
  of: (userIds: string[]): Promise<Map<string, string>> => findTimezones(db, userIds),
})
