import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { quoteWord } from './command-line.ts'
import { isExecutable } from './executable.ts'

const root = join(import.meta.dir, '..')

/** The command that starts this svc from the current folder. */
export const commandName = (): string => {
  const script = join(root, 'svc')
  const onPath = Bun.which('svc')
  if (isExecutable() || (onPath && realpathSync(onPath) === script)) return 'svc'
  return process.cwd() === root ? './svc' : quoteWord(script)
}

/** Names the command of hints and examples: `Run: svc login` becomes `Run: ./svc login` in the clone. */
export const nameCommand = (text: string): string =>
  text.replace(/(?<=: |\| |^ {2})svc /gm, () => `${commandName()} `)
