import type { Command } from 'commander'
import type { RunWithoutContext } from './define.ts'

/**
 * `--data-dir` for the commands on the files of this machine's server, in place of `SVC_DATA_DIR`.
 * @param run runs a command; returns one that sees the option as the variable.
 */
export const dataDirOption = (run: RunWithoutContext) => {
  let typed: string | undefined
  const withVariable: RunWithoutContext = (command) =>
    run(({ io, ...invocation }) => {
      if (typed === undefined) return command({ io, ...invocation })
      const env = { ...io.runtime.env, SVC_DATA_DIR: typed }
      const runtime = derive(io.runtime, { env })
      return command({ io: derive(io, { runtime }), ...invocation })
    })
  const addTo = (command: Command): void => {
    command
      .option('--data-dir <path>', 'directory of the database and files (default: SVC_DATA_DIR)')
      .on('option:data-dir', (path: string) => {
        typed = path
      })
  }
  return { withVariable, addTo }
}

/** An object with other values for some properties. The getters of the base stay. */
const derive = <T extends object>(base: T, changes: Partial<T>): T =>
  Object.assign(Object.create(base), changes)
