import type { Context } from '../context.ts'

/** Runs a command, which loads its module only now, so that every start is quick. */
export type Run = (command: (context: Context) => Promise<void>) => Promise<void>
