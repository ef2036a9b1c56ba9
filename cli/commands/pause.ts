import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/duration.ts'
import { readPause, removePause, writePause } from '../assistants/pause.ts'
import { usageError } from '../errors.ts'
import { formatMinute } from '../format.ts'
import type { Invocation } from '../parse/define.ts'

/** Pauses the hooks of the assistants on this machine. */
export const runPause = async (
  { io, environment, options }: Invocation,
  { duration }: { duration?: string },
): Promise<void> => {
  const until =
    duration === undefined
      ? null
      : new Date(io.runtime.clock.now() + parseDuration(duration)).toISOString()
  writePause(environment.configDir, { until })
  if (options.json) io.printJson({ paused: true, until })
  else
    io.print(
      until === null
        ? 'Assistants are paused: nothing is stored and nothing is given.'
        : `Assistants are paused until ${formatMinute(until)}: nothing is stored and nothing is given.`,
    )
  if (!options.json) io.info('To end the pause, run: svc resume')
}

/** Ends the pause. */
export const runResume = async ({ io, environment, options }: Invocation): Promise<void> => {
  const pause = readPause(environment.configDir, io.runtime.clock.now())
  removePause(environment.configDir)
  if (options.json) io.printJson({ paused: false, until: null })
  else io.print(pause ? 'The pause has ended.' : 'There was no pause.')
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }
const MAX_DURATION_MS = 3_650 * DAY_MS

/** @throws CliError unless it is a number with a unit, such as 30m. */
const parseDuration = (text: string): number => {
  const [, number, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? []
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN)
  if (ms > 0 && ms <= MAX_DURATION_MS) return ms
  throw usageError('Invalid duration.', 'Use minutes, hours or days: svc pause 30m')
}
