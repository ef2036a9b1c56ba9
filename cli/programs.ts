import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from './errors.ts'
import { runProgram } from './interrupt.ts'
import type { Runtime } from './runtime.ts'

/**
 * Opens a text in the editor and returns the result. The temporary file is private to the user.
 * @param editor a command, optionally with arguments.
 * @throws CliError if the editor cannot be started or fails.
 */
export const editText = async (text: string, editor: string, runtime: Runtime): Promise<string> => {
  // mkdtemp creates the directory with mode 0700.
  const dir = mkdtempSync(join(runtime.env.TMPDIR || tmpdir(), 'svc-edit-'))
  const path = join(dir, 'memory.md')
  try {
    writeFileSync(path, text, { mode: 0o600 })
    const code = await run(editor, path, runtime)
    if (code !== 0)
      throw new CliError(`The editor exited with code ${code}; nothing was changed.`, HINT)
    return readFileSync(path, 'utf8')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const HINT = 'Set EDITOR to a text editor, or pass the text with --content.'

/** The shell splits the editor command into words. The path is passed as $1, so it is not parsed. */
const run = async (editor: string, path: string, runtime: Runtime): Promise<number> => {
  const command =
    process.platform === 'win32'
      ? [...editor.split(' '), path]
      : ['sh', '-c', `${editor} "$1"`, 'sh', path]
  try {
    return await runProgram(runtime, command)
  } catch (cause) {
    throw new CliError(`Cannot start the editor ${editor}.`, HINT, { cause })
  }
}

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

/** Opens a page in the browser. Failures are ignored, because the terminal shows the address too. */
export const openBrowser = (page: string, runtime: Runtime): void => {
  const url = URL.canParse(page) ? new URL(page) : undefined
  if (url && /^https?:$/.test(url.protocol)) runtime.launch([...opener(), url.href])
}

const opener = (): string[] => {
  if (process.platform === 'darwin') return ['open']
  // Not `start`: it is a shell command, and the shell would run the text after an & in the address.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
