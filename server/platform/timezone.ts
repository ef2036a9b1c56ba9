import { parseInstant } from '../../shared/contract/common.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/duration.ts'

/** The default time zone. */
export const UTC = 'UTC'

const MAX_NAME = 64

/**
 * The canonical spelling of an IANA time zone name.
 * @returns undefined for any other name, including offsets such as `+02:00`.
 */
export const timezoneNamed = (name: string): string | undefined => {
  if (name.length > MAX_NAME || !/^[a-z]/i.test(name)) return undefined
  const key = name.toLowerCase()
  const zone = named.get(key) ?? resolved(name)
  if (zone) named.set(key, zone)
  return zone
}

/** Caches about 600 names, because a lookup takes longer than the rest of authentication. */
const named = new Map<string, string>()

/** Whether `name` is a time zone name or an offset from UTC. */
export const isTimezone = (name: string): boolean => resolved(name) !== undefined

const resolved = (name: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/**
 * The local time of an instant as a Date whose UTC fields have the local values, for arithmetic with
 * the UTC methods of Date.
 */
export const wallClock = (instant: Date, timezone: string): Date =>
  new Date(instant.getTime() + offsetMs(instant, timezone))

/**
 * The instant of a local time. A time that daylight saving skips moves forward by the length of the
 * gap, and an ambiguous time is the first of the two (RFC 5545).
 */
export const instantAt = (wall: Date, timezone: string): Date => {
  const zoned = Temporal.PlainDateTime.from(wall.toISOString().slice(0, -1)).toZonedDateTime(
    timezone,
    { disambiguation: 'compatible' },
  )
  return new Date(zoned.epochMilliseconds)
}

/** A bound of times, both in ISO 8601. */
export interface TimeBound {
  instant: string
  /** The bound of days without an hour, which are stored as midnight in UTC: they are days of every time zone. */
  day: string
}

/** The length of a date without a time. */
const DATE_LENGTH = 10

/**
 * Reads a bound of a request: a date is the start of that day in the time zone.
 * @returns undefined for a text that `parseInstant` does not read.
 */
export const timeBound = (
  text: string | null | undefined,
  timezone: string,
): TimeBound | undefined => {
  const parsed = text ? parseInstant(text) : undefined
  if (!parsed) return undefined
  const instant = text?.length === DATE_LENGTH ? instantAt(parsed, timezone) : parsed
  const local = wallClock(instant, timezone)
  const isDay = local.getTime() % DAY_MS === 0
  return { instant: instant.toISOString(), day: (isDay ? local : instant).toISOString() }
}

/** The local date, `YYYY-MM-DD`. */
export const dayAt = (instant: Date, timezone: string): string =>
  wallClock(instant, timezone).toISOString().slice(0, 10)

/** The local time to the minute with its offset: `2026-05-05T01:00+02:00`, in UTC `2026-05-04T23:00Z`. */
export const minuteAt = (instant: Date, timezone: string): string => {
  const minutes = Math.trunc(offsetMs(instant, timezone) / MINUTE_MS)
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
  const wall = wallClock(instant, timezone).toISOString().slice(0, 16)
  return `${wall}${minutes === 0 ? 'Z' : offset}`
}

const twoDigits = (count: number) => String(count).padStart(2, '0')

const NS_PER_MS = 1e6

const offsetMs = (instant: Date, timezone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone)
    .offsetNanoseconds / NS_PER_MS
