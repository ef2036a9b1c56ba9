import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from './errors.ts'
import { onInterrupt } from './interrupt.ts'

/**
 * Lets the person edit a text in a program of theirs. The file is theirs alone to read, and gone after.
 * @param editor a command, which may have arguments.
 * @throws CliError when it cannot be started or says that it failed.
 */
export const editText = async (text: string, editor: string): Promise<string> => {
  // mkdtemp makes a directory that only its owner may enter.
  const dir = mkdtempSync(join(tmpdir(), 'svc-edit-'))
  const path = join(dir, 'memory.md')
  // Ctrl-C is for the editor while it has the terminal.
  using _ = onInterrupt(() => {})
  try {
    writeFileSync(path, text, { mode: 0o600 })
    const code = await run(editor, path)
    if (code !== 0) throw new CliError(`The editor ended with ${code}; nothing was changed.`, NEXT)
    return readFileSync(path, 'utf8')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const NEXT = 'Set EDITOR to a program that edits files, or give the text with --content.'

/** The shell knows how to part a command from its arguments; the file is no part of what it reads. */
const run = async (editor: string, path: string): Promise<number> => {
  const command =
    process.platform === 'win32'
      ? [...editor.split(' '), path]
      : ['sh', '-c', `${editor} "$1"`, 'sh', path]
  try {
    return await Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'] }).exited
  } catch (cause) {
    throw new CliError(`The editor ${editor} cannot be started.`, NEXT, { cause })
  }
}
