import { type Command, CommanderError } from 'commander'
import { nameCommand } from './command-name.ts'
import { environment } from './config.ts'
import type { GlobalOptions } from './context.ts'
import { exitCodeOf } from './exit.ts'
import { formatError } from './format-error.ts'
import { watchInterrupts } from './interrupt.ts'
import { createIo } from './output.ts'
import { withJsonFields } from './parse/json-fields.ts'
import { createProgram } from './parse/program.ts'
import type { RunWithContext, RunWithoutContext } from './parse/run.ts'

/** The options as commander reads them: `--json` may have the names of fields. */
type TypedOptions = Omit<GlobalOptions, 'json'> & { json?: true | string }

/** Runs the command line and sets the exit code. */
export const main = async (argv: string[]): Promise<void> => {
  const env = environment()
  const { escapes } = env
  let current: Command | undefined
  let io = createIo({ color: false, quiet: false, escapes })
  watchInterrupts((text) => io.message(text))

  const readOptions = async (): Promise<GlobalOptions> => {
    const { json, ...options } = program.opts<TypedOptions>()
    const color = env.color && options.color !== false
    const pager = options.pager === false ? undefined : env.pager
    const needsFormat = options.jq !== undefined || options.template !== undefined
    const format = needsFormat ? (await import('./json-format.ts')).loadFormat(options) : undefined
    const select =
      typeof json === 'string' && json !== ''
        ? (await import('./json-fields.ts')).selectFields(
            json.split(',').map((name) => name.trim()),
          )
        : undefined
    const quiet = options.quiet === true
    io = createIo({ color, quiet, escapes, pager, format: await format, select })
    return { ...options, json: json !== undefined || needsFormat }
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
    await program.parseAsync(withJsonFields(program, argv))
  } catch (error) {
    // Commander has already printed its own errors.
    if (!(error instanceof CommanderError))
      io.message(formatError(error, program.opts().debug === true))
    process.exitCode = exitCodeOf(error)
  }
}
