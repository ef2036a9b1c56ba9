import { basename, join } from 'node:path'
import { usageError } from '../../errors.ts'
import { isExecutable } from '../../executable.ts'
import type { Bare } from '../../parse/run.ts'
import { type Shell, scripts } from './scripts.ts'

const isShell = (name: string): name is Shell => Object.hasOwn(scripts, name)

/** Prints what tells a shell to complete svc; the person's own shell if none is named. */
export const completion = async (
  { io, environment, options }: Bare,
  { shell }: { shell: string | undefined },
): Promise<void> => {
  const name = shell ?? basename(environment.shell ?? '')
  if (!isShell(name))
    throw usageError('Which shell is to complete svc?', 'Run: svc completion bash, zsh or fish')
  const main = join(import.meta.dir, '../../main.ts')
  const command = isExecutable() ? [process.execPath] : [process.execPath, main]
  const script = scripts[name](command.map(quote).join(' '))
  if (options.json) io.printJson({ shell: name, script })
  else io.print(script)
}

const quote = (word: string) =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
