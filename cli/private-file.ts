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
  writeSync,
} from 'node:fs'
import { CliError } from './errors.ts'

/**
 * The text of a file that its owner alone may read, which is mended where others could too.
 * @returns undefined where there is none. @throws CliError when it cannot be read.
 */
export const readPrivate = (path: string): string | undefined => {
  try {
    if (statSync(path).mode & 0o077) chmodSync(path, 0o600)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}

/** A directory that others share, as /tmp is, is left as it is: the files in it are private anyway. */
export const makePrivate = (dir: string): void => {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const { mode, uid } = statSync(dir)
    const shared = mode & 0o1000 || uid !== process.getuid?.()
    if (mode & 0o077 && !shared) chmodSync(dir, 0o700)
  } catch (error) {
    throw unusable(dir, error)
  }
}

/** Replaces a file as a whole, or not at all. Its owner alone can read it. */
export const replacePrivate = (path: string, text: string): void => {
  const fresh = `${path}.${crypto.randomUUID()}.tmp`
  try {
    const file = openSync(fresh, 'wx', 0o600)
    writeSync(file, text)
    fsyncSync(file)
    closeSync(file)
    renameSync(fresh, path)
  } catch (error) {
    removeIfPossible(fresh)
    throw unusable(path, error)
  }
}

/** On a file system that takes no writes even that fails. */
const removeIfPossible = (path: string): void => {
  try {
    rmSync(path, { force: true })
  } catch {}
}

export const unusable = (path: string, cause: unknown) => {
  const { code = 'unknown reason' } = cause as NodeJS.ErrnoException
  const mend = /ENOSPC|EDQUOT|FULL/.test(code) ? 'Make room there' : 'Mend its permissions'
  return new CliError(
    `${path} cannot be used: ${code}.`,
    `${mend}, or name another directory with SVC_CONFIG_DIR.`,
    { cause },
  )
}
