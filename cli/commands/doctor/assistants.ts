import { readPause } from '../../assistants/pause.ts'
import { openSpool } from '../../assistants/spool.ts'
import { formatMinute } from '../../format.ts'
import type { Invocation } from '../../parse/define.ts'
import { type Check, ok, warning } from './check.ts'

/** Checks the turns of assistants that wait or were refused, and the pause. */
export const checkSpool = ({ environment, io }: Invocation): Check[] => {
  const spool = openSpool(environment.configDir)
  const waiting = spool.names().length
  const refused = spool.refused().length
  const pause = readPause(environment.configDir, io.runtime.clock.now())
  const until = pause?.until ? ` until ${formatMinute(pause.until)}` : ''
  return [
    ...(spool.isFull()
      ? [warning('spool', 'The spool is full: new turns are not kept', 'Run: svc spool')]
      : []),
    ...(refused
      ? [warning('spool', `The server refused turns of assistants: ${refused}`, 'Run: svc spool')]
      : []),
    waiting
      ? warning('spool', `Turns of assistants that wait: ${waiting}`, 'Run: svc spool')
      : ok('spool', 'No turns of assistants wait'),
    ...(pause ? [warning('pause', `Assistants are paused${until}`, 'Run: svc resume')] : []),
  ]
}
