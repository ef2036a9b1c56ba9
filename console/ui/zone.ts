/** Times as date and time fields have them, in the reader's time zone: the one chosen in the preferences, or that of the device. */
import { DAY_MS } from '../../shared/duration.ts'
import { serverNow } from '../session/clock.ts'
import { chosenTimeZone } from '../texts/tools/region.ts'

const MINUTE_MS = 60_000
const DAY_LENGTH = 10
const LOCAL_LENGTH = 16
/** Swedish has the order of ISO 8601. */
const WALL_CLOCK = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: chosenTimeZone,
})

/** The value of a `datetime-local` field: `2026-01-31T14:05`. */
export const localOf = (time: Date): string =>
  WALL_CLOCK.format(time).replace(' ', 'T').padStart(LOCAL_LENGTH, '0')

/** The value of a date field: `2026-01-31`. */
export const dayOf = (time: Date): string => localOf(time).slice(0, DAY_LENGTH)

export const today = (): string => dayOf(new Date(serverNow()))

/** 0 for a time beyond the years of four digits. */
const offsetAt = (instant: number): number =>
  Date.parse(`${localOf(new Date(instant))}Z`) - Math.floor(instant / MINUTE_MS) * MINUTE_MS || 0

/**
 * The instant of a field's value, as the API has it. A time that a change of the clocks leaves out moves forward by the
 * length of the gap, and of one that occurs twice it is the first (RFC 5545), as on the server.
 * A text that is no time, such as a year after 9999, stays as it is, and the API reports it.
 */
export const isoOf = (local: string): string => {
  const wall = Date.parse(`${local}Z`)
  if (Number.isNaN(wall)) return local
  const before = wall - offsetAt(wall - DAY_MS)
  const after = wall - offsetAt(wall + DAY_MS)
  const instant = [before, after].find((each) => each + offsetAt(each) === wall) ?? before
  return new Date(instant).toISOString()
}

/** @param day as `dayOf` returns it. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, DAY_LENGTH)

/** The start of a day, or of a day after it, as the API has it. */
export const startOf = (day: string, daysLater = 0): string =>
  isoOf(`${addDays(day, daysLater)}T00:00`)
