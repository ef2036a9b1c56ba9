import type { Environment } from '../config.ts'
import type { Context, GlobalOptions } from '../context.ts'
import type { Io } from '../output.ts'

/** Runs a command, which loads its module only now, so that every start is quick. */
export type Run = (command: (context: Context) => Promise<void>) => Promise<void>

/** What there is before any file of svc is read. */
export interface Bare {
  io: Io
  environment: Environment
  options: GlobalOptions
}

/** Runs a command that needs no context, and works where none can be made. */
export type RunBare = (command: (bare: Bare) => Promise<void>) => Promise<void>
