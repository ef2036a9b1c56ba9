import { CommanderError } from 'commander'
import { environment } from './config.ts'
import type { GlobalOptions } from './context.ts'
import { exitCodeOf } from './exit.ts'
import { watchInterrupts } from './interrupt.ts'
import { createIo } from './output.ts'
import { createProgram } from './parse/program.ts'
import type { Run, RunBare } from './parse/run.ts'
import { reportOf } from './report.ts'

/** Does what was typed, and settles what the process ends with. */
export const main = async (argv: string[]): Promise<void> => {
  const env = environment()
  const { escapes } = env
  let io = createIo({ color: false, quiet: false, escapes })
  watchInterrupts((text) => io.say(text))

  const readOptions = () => {
    const options = program.opts<GlobalOptions>()
    const color = env.color && options.color !== false
    io = createIo({ color, quiet: options.quiet === true, escapes })
    return options
  }
  const bare: RunBare = async (command) => {
    const options = readOptions()
    await command({ io, environment: env, options })
  }
  const run: Run = async (command) => {
    const options = readOptions()
    const { createContext } = await import('./context.ts')
    const context = createContext(options, env, io)
    try {
      await command(context)
    } catch (error) {
      const { explain } = await import('./explain.ts')
      throw explain(error, context)
    }
  }

  const program = createProgram(io, run, bare)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    // Commander has said its own errors already.
    if (!(error instanceof CommanderError)) io.say(reportOf(error, program.opts().debug === true))
    process.exitCode = exitCodeOf(error)
  }
}
