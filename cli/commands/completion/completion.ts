import { basename } from 'node:path'
import { usageError } from '../../errors.ts'
import { quoteWord, startCommand } from '../../executable.ts'
import type { Invocation } from '../../parse/define.ts'
import { completionScripts, type Shell } from './scripts.ts'

const isShell = (name: string): name is Shell => Object.hasOwn(completionScripts, name)

/** Prints the completion script of a shell; default: the login shell. */
export const runCompletion = async (
  { io, environment, options }: Invocation,
  { shell }: { shell?: string },
): Promise<void> => {
  const name = shell ?? basename(environment.shell ?? '')
  if (!isShell(name))
    throw usageError('The shell is unknown.', 'Name it: svc completion bash, zsh or fish')
  const script = completionScripts[name](startCommand().map(quoteWord).join(' '))
  if (options.json) io.printJson({ shell: name, script })
  else io.print(script)
}
