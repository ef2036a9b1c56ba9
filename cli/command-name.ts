import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { quoteWord } from './command-line.ts'
import { isExecutable } from './executable.ts'
import type { Runtime } from './runtime.ts'

const root = join(import.meta.dir, '..')

/** Where a command is started: the variable PATH and the current folder. */
type Place = Pick<Runtime, 'env' | 'folder'>

/** The path of a command on the PATH, or null. */
export const findCommand = (name: string, { env, folder }: Place): string | null =>
  Bun.which(name, { PATH: env.PATH ?? '', cwd: folder })

/** The command that starts this svc from the current folder. */
export const commandName = (place: Place): string => {
  const script = join(root, 'svc')
  const onPath = findCommand('svc', place)
  if (isExecutable() || (onPath && realpathSync(onPath) === script)) return 'svc'
  return place.folder === root ? './svc' : quoteWord(script)
}

/** Names the command of hints and examples: `Run: svc login` becomes `Run: ./svc login` in the clone. */
export const nameCommand = (text: string, place: Place): string =>
  text.replace(/(?<=: |\| |^ {2})svc /gm, () => `${commandName(place)} `)
