/** The zone of whoever never said theirs. */
export const UTC = 'UTC'

const MAX_NAME = 64

/**
 * A time zone of the IANA database, in the letters it is usually written in.
 * @returns undefined for anything else, offsets such as `+02:00` included.
 */
export const timezoneNamed = (name: string): string | undefined => {
  if (name.length > MAX_NAME || !/^[a-z]/i.test(name)) return undefined
  const key = name.toLowerCase()
  const zone = named.get(key) ?? resolved(name)
  if (zone) named.set(key, zone)
  return zone
}

/** Looking one up takes longer than all else that is done for a request's credential; there are some 600. */
const named = new Map<string, string>()

/** Whether it is a time zone, or an offset from UTC. */
export const isTimezone = (name: string): boolean => resolved(name) !== undefined

const resolved = (name: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/**
 * What the clock on a wall shows at an instant. It is held as if it were UTC, so that days and hours
 * are reckoned with by the UTC methods of Date.
 */
export const wallClock = (instant: Date, timezone: string): Date =>
  new Date(instant.getTime() + offsetMs(instant, timezone))

/**
 * When the clock on a wall shows a time. What a change of the clocks leaves out is as much later as
 * they go forward, and of what comes twice it is the first (as RFC 5545 has it).
 */
export const instantOf = (wall: Date, timezone: string): Date => {
  const zoned = Temporal.PlainDateTime.from(wall.toISOString().slice(0, -1)).toZonedDateTime(
    timezone,
    { disambiguation: 'compatible' },
  )
  return new Date(zoned.epochMilliseconds)
}

/** The day that it is somewhere, `YYYY-MM-DD`. */
export const dayAt = (instant: Date, timezone: string): string =>
  wallClock(instant, timezone).toISOString().slice(0, 10)

/** An instant to the minute on a clock somewhere: `2026-05-05T01:00+02:00`, in UTC `2026-05-04T23:00Z`. */
export const minuteAt = (instant: Date, timezone: string): string => {
  const minutes = Math.trunc(offsetMs(instant, timezone) / MINUTE_MS)
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
  const wall = wallClock(instant, timezone).toISOString().slice(0, 16)
  return `${wall}${minutes === 0 ? 'Z' : offset}`
}

const twoDigits = (count: number) => String(count).padStart(2, '0')

const MINUTE_MS = 60_000
const NS_PER_MS = 1e6

const offsetMs = (instant: Date, timezone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone)
    .offsetNanoseconds / NS_PER_MS
