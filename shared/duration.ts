export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const MINUTE = 60
const HOUR = 60 * MINUTE

/** A duration in words, rounded up: "40 seconds", "1 minute", "23 hours". */
export const formatWait = (seconds: number): string => {
  if (seconds < MINUTE) return withUnit(seconds, 'second')
  if (seconds < HOUR) return withUnit(seconds / MINUTE, 'minute')
  return withUnit(seconds / HOUR, 'hour')
}

const withUnit = (value: number, unit: string): string => {
  const whole = Math.ceil(value)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
