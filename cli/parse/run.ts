import type { Environment } from '../config.ts'
import type { Context, GlobalOptions } from '../context.ts'
import type { Io } from '../output.ts'

/** Runs a command with its context. The command module is loaded here, which keeps startup fast. */
export type RunWithContext = (command: (context: Context) => Promise<void>) => Promise<void>

/** The input of a command that needs no context. */
export interface Invocation {
  io: Io
  environment: Environment
  options: GlobalOptions
}

/** Runs a command without a context, so that it works with damaged files too. */
export type RunWithoutContext = (
  command: (invocation: Invocation) => Promise<void>,
) => Promise<void>
