import { type Command, CommanderError } from 'commander'
import { nameCommand } from './command-name.ts'
import { environment } from './config.ts'
import type { GlobalOptions } from './context.ts'
import { exitCodeOf } from './exit.ts'
import { formatError } from './format-error.ts'
import { watchInterrupts } from './interrupt.ts'
import { createIo } from './output.ts'
import { createProgram } from './parse/program.ts'
import type { RunWithContext, RunWithoutContext } from './parse/run.ts'

/** Runs the command line and sets the exit code. */
export const main = async (argv: string[]): Promise<void> => {
  const env = environment()
  const { escapes } = env
  let current: Command | undefined
  let io = createIo({ color: false, quiet: false, escapes })
  watchInterrupts((text) => io.message(text))

  const readOptions = async () => {
    const options = program.opts<GlobalOptions>()
    const color = env.color && options.color !== false
    const pager = options.pager === false ? undefined : env.pager
    const needsFormat = options.jq !== undefined || options.template !== undefined
    const format = needsFormat ? (await import('./json-format.ts')).loadFormat(options) : undefined
    io = createIo({ color, quiet: options.quiet === true, escapes, pager, format: await format })
    return { ...options, ...(needsFormat && { json: true }) }
  }
  const runWithoutContext: RunWithoutContext = async (command) => {
    const options = await readOptions()
    await command({ io, environment: env, options })
  }
  const run: RunWithContext = async (command) => {
    const options = await readOptions()
    const { createContext } = await import('./context.ts')
    const context = createContext(options, env, io)
    try {
      await command(context)
    } catch (error) {
      const { toCliError } = await import('./api-errors.ts')
      throw toCliError(error, context, current)
    }
  }

  const { message, print } = io
  const printHelp = (text: string) => print(nameCommand(text))
  const program = createProgram({ message, print: printHelp }, run, runWithoutContext)
  program.hook('preAction', (_, command) => {
    current = command
  })
  try {
    await program.parseAsync(argv)
  } catch (error) {
    // Commander has already printed its own errors.
    if (!(error instanceof CommanderError))
      io.message(formatError(error, program.opts().debug === true))
    process.exitCode = exitCodeOf(error)
  }
}
