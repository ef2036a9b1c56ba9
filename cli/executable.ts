import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime } from './runtime.ts'

/** Quotes a word for a POSIX shell, where it is needed. */
export const quoteWord = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

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

/** Whether svc runs from the executable of `scripts/build.ts`, not from a checkout. */
export const isExecutable = (): boolean =>
  import.meta.path.startsWith('/$bunfs/') || import.meta.path.includes('~BUN')

/** The command that starts this svc from any folder, for settings of other programs. */
export const startCommand = (): string[] => {
  if (isExecutable()) return [process.execPath]
  if (process.platform !== 'win32') return [join(root, 'svc')]
  // The launcher is a shell script. These options are why it exists.
  const options = ['--no-env-file', `--config=${join(root, 'bunfig.toml')}`]
  return [process.execPath, ...options, join(root, 'cli/main.ts')]
}
