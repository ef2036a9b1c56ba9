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
