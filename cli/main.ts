#!/usr/bin/env bun
import { CommanderError } from 'commander'
import { environment } from './config.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'
import { exitCode, exitCodeOf } from './exit.ts'
import { createIo } from './output.ts'
import { createProgram } from './parse/program.ts'

const env = environment()
const io = createIo(env.color)

const run = async (command: (context: Context) => Promise<void>): Promise<void> => {
  const { createContext } = await import('./context.ts')
  const context = createContext(program.opts(), env, io)
  try {
    await command(context)
  } catch (error) {
    const { explain } = await import('./explain.ts')
    throw explain(error, context)
  }
}

/** Says what went wrong and what to do. Commander has said its own errors already. */
const report = (error: unknown): void => {
  const debug = program.opts().debug === true
  if (error instanceof CommanderError) return
  const next = error instanceof CliError ? error.next : 'Run it again with --debug to see more.'
  io.say(`error: ${error instanceof Error ? error.message : error}\n${next}`)
  if (debug) io.say(stacks(error))
}

const stacks = (error: unknown): string =>
  error instanceof Error ? `${error.stack}\n${error.cause ? stacks(error.cause) : ''}` : `${error}`

process.once('SIGINT', () => {
  io.say('Interrupted.')
  process.exit(exitCode.interrupted)
})

const program = createProgram(io, run)
try {
  await program.parseAsync()
} catch (error) {
  report(error)
  process.exitCode = exitCodeOf(error)
}
