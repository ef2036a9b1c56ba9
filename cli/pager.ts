import { runProgram } from './interrupt.ts'
import type { Runtime } from './runtime.ts'

/** The exit code of a shell that does not find a command. */
const COMMAND_NOT_FOUND = 127

/**
 * Shows a text in a pager until the user quits it.
 * @param pager a command for the shell.
 * @returns whether the pager was started.
 */
export const showInPager = async (
  text: string,
  pager: string,
  runtime: Runtime,
): Promise<boolean> => {
  const command = process.platform === 'win32' ? pager.split(' ') : ['sh', '-c', pager]
  try {
    return (await runProgram(runtime, command, text)) !== COMMAND_NOT_FOUND
  } catch {
    return false
  }
}
