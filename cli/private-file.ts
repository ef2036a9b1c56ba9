import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { CliError } from './errors.ts'

/**
 * Reads a private file. Repairs its mode if other users could read it.
 * @returns undefined if the file does not exist. @throws CliError if it cannot be read.
 */
export const readPrivateFile = (path: string): string | undefined => {
  try {
    if (statSync(path).mode & 0o077) repairMode(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusableFileError(path, error)
  }
}

const repairMode = (path: string): void => {
  try {
    chmodSync(path, 0o600)
  } catch {
    // A read-only file system, or another owner: it is read as it is.
  }
}

/** Creates a directory with mode 0700. The mode of a shared one, such as /tmp, is not changed. */
export const makePrivateDirectory = (dir: string): void => {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const { mode, uid } = statSync(dir)
    const shared = mode & 0o1000 || uid !== process.getuid?.()
    if (mode & 0o077 && !shared) chmodSync(dir, 0o700)
  } catch (error) {
    throw unusableFileError(dir, error)
  }
}

/** Replaces a file atomically and durably, with mode 0600. */
export const replacePrivateFile = (path: string, text: string): void => {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true })
    renameSync(temporary, path)
    syncDirectory(dirname(path))
  } catch (error) {
    removeIfPossible(temporary)
    throw unusableFileError(path, error)
  }
}

/** Makes the names in a directory durable. */
const syncDirectory = (path: string): void => {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/** Ignores errors, for example of a read-only file system. */
const removeIfPossible = (path: string): void => {
  try {
    rmSync(path, { force: true })
  } catch {}
}

export const unusableFileError = (path: string, cause: unknown) => {
  const { code = 'unknown reason' } = cause as NodeJS.ErrnoException
  const fix = /ENOSPC|EDQUOT|FULL/.test(code) ? 'Free disk space' : 'Check its permissions'
  return new CliError(
    `Cannot access ${path}: ${code}.`,
    `${fix}, or set another directory with SVC_CONFIG_DIR.`,
    { cause },
  )
}
