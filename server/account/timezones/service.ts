import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { timezoneNamed } from '../../platform/timezone.ts'
import { findTimezones, saveTimezone } from './store.ts'

/** Knows where people are: in the time zone that their latest request named. */
export const createTimezoneService = ({ db }: Database) => ({
  /**
   * Takes note of what a request names.
   * @returns the caller, who is there from now on; as they were for what is no time zone.
   */
  async note(caller: Caller, named: string): Promise<Caller> {
    const timezone = timezoneNamed(named)
    if (!timezone || timezone === caller.timezone) return caller
    await saveTimezone(db, caller.userId, timezone)
    return { ...caller, timezone }
  },

  /** Where each of them is, by their ids. */
  of: (userIds: string[]): Promise<Map<string, string>> => findTimezones(db, userIds),
})
