import { type Command, CommanderError } from 'commander'
import { readEnvironment } from './config.ts'
import type { GlobalOptions } from './context.ts'
import { exitCode, exitCodeOf, formatError, usageError } from './errors.ts'
import { nameCommand } from './executable.ts'
import { createIo } from './output.ts'
import type { RunWithContext, RunWithoutContext } from './parse/define.ts'
import { withJsonFields } from './parse/json-fields.ts'
import { createProgram } from './parse/program.ts'
import type { Runtime } from './runtime.ts'

/** The options as commander reads them: `--json` may have the names of fields. */
type TypedOptions = Omit<GlobalOptions, 'json'> & { json?: true | string }

/** Bytes that are no UTF-8, as of a terminal in Latin-1, arrive as this character. */
const REPLACEMENT = '\uFFFD'

/** @throws CliError for an argument that would be stored damaged. */
const checkEncoding = (args: readonly string[]): void => {
  const at = args.findIndex((word) => word.includes(REPLACEMENT))
  if (at >= 0)
    throw usageError(
      `Argument ${at + 1} is not UTF-8 text.`,
      'Set the terminal to UTF-8, or pass the text on standard input as UTF-8.',
    )
}

/** Runs svc with arguments. @returns the exit code. */
export const main = async (args: readonly string[], runtime: Runtime): Promise<number> => {
  const env = readEnvironment(runtime)
  const { escapes } = env
  let current: Command | undefined
  let io = createIo(runtime, { color: false, quiet: false, escapes })
  runtime.onInterrupt(() => {
    io.message('Interrupted.')
    runtime.exit(exitCode.interrupted)
  })

  const readOptions = async (): Promise<GlobalOptions> => {
    const { json, ...options } = program.opts<TypedOptions>()
    const color = env.color && options.color !== false
    const pager = options.pager === false ? undefined : env.pager
    const needsFormat = options.jq !== undefined || options.template !== undefined
    const format = needsFormat ? (await import('./json-format.ts')).loadFormat(options) : undefined
    const fields =
      typeof json === 'string' && json !== ''
        ? (await import('./json-format.ts')).selectFields(
            json.split(',').map((name) => name.trim()),
          )
        : undefined
    const quiet = options.quiet === true
    io = createIo(runtime, { color, quiet, escapes, pager, format: await format, fields })
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
  const printHelp = (text: string) => print(nameCommand(text, runtime))
  const columnsOf = (name: 'stdout' | 'stderr') => {
    const { isTTY, columns } = runtime[name]
    return isTTY ? columns : undefined
  }
  const output = { message, print: printHelp, columnsOf }
  const program = createProgram(output, run, runWithoutContext)
  program.hook('preAction', (_, command) => {
    current = command
  })
  try {
    checkEncoding(args)
    await program.parseAsync(withJsonFields(program, args), { from: 'user' })
    return exitCode.done
  } catch (error) {
    // Commander has already printed its own errors.
    if (!(error instanceof CommanderError))
      io.message(formatError(error, program.opts().debug === true))
    return exitCodeOf(error)
  }
}
