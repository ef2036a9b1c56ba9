import { onInterrupt } from './interrupt.ts'

/** The exit code of a shell that does not find a command. */
const COMMAND_NOT_FOUND = 127

/**
 * Shows a text in a pager until the user quits it.
 * @param pager a command for the shell.
 * @returns whether the pager was started.
 */
export const showInPager = async (text: string, pager: string): Promise<boolean> => {
  const command = process.platform === 'win32' ? pager.split(' ') : ['sh', '-c', pager]
  // Ctrl-C goes to the pager while it runs.
  using _ = onInterrupt(() => {})
  try {
    const { exited } = Bun.spawn(command, { stdio: [new Blob([text]), 'inherit', 'inherit'] })
    return (await exited) !== COMMAND_NOT_FOUND
  } catch {
    return false
  }
}
