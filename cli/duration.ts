import { DAY_MS, HOUR_MS, MINUTE_MS } from '../shared/duration.ts'
import { usageError } from './errors.ts'

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }
const MAX_DURATION_MS = 3_650 * DAY_MS

/**
 * Reads a number with a unit, such as 30m, in milliseconds.
 * @param example a command with a valid one.
 * @throws CliError
 */
export const parseDuration = (text: string, example: string): number => {
  const [, number, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? []
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN)
  if (ms > 0 && ms <= MAX_DURATION_MS) return ms
  throw usageError('Invalid duration.', `Use minutes, hours or days: ${example}`)
}
