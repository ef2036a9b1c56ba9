import { readPause, removePause, writePause } from '../assistants/pause.ts'
import { parseDuration } from '../duration.ts'
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
      : new Date(io.runtime.clock.now() + parseDuration(duration, 'svc pause 30m')).toISOString()
  io.willPrint(['paused', 'until'])
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
  io.willPrint(['paused', 'until'])
  const pause = readPause(environment.configDir, io.runtime.clock.now())
  removePause(environment.configDir)
  if (options.json) io.printJson({ paused: false, until: null })
  else io.print(pause ? 'The pause has ended.' : 'There was no pause.')
}
