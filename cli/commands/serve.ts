import { serve } from '../../server/main.ts'
import { commandName } from '../command-name.ts'
import { isExecutable } from '../executable.ts'
import { unwatchInterrupts } from '../interrupt.ts'

/** Runs the server, which has its own variables and handles signals itself. */
export const runServe = (): Promise<void> => {
  unwatchInterrupts()
  return serve(isExecutable() ? process.argv0 : commandName())
}
