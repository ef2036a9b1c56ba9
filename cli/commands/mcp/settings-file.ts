import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CliError } from '../../errors.ts'

/** Reads the settings of a client; undefined if the file does not exist. @throws CliError */
export const readSettingsFile = async (path: string): Promise<string | undefined> => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusableSettingsError(path, cause)
  }
}

export interface Replaced {
  /** The path of the backup; undefined for a new file. */
  backup: string | undefined
  /** The first directory that was created for a new file. */
  folder: string | undefined
}

/**
 * Replaces the settings atomically. Permissions and symbolic links are kept.
 * @throws CliError
 */
export const replaceSettingsFile = async (
  path: string,
  before: string | undefined,
  after: string,
): Promise<Replaced> => {
  try {
    const target = await resolveLink(path)
    const folder = await mkdir(dirname(target), { recursive: true })
    const mode = before === undefined ? undefined : (await stat(target)).mode & 0o777
    if (mode !== undefined) expectWritable(path, mode)
    const backup = before === undefined ? undefined : await backUp(target)
    const temporary = `${target}.${crypto.randomUUID()}.tmp`
    try {
      await writeFile(temporary, after, {
        flag: 'wx',
        flush: true,
        ...(mode !== undefined && { mode }),
      })
      // The umask restricts the mode at creation.
      if (mode !== undefined) await chmod(temporary, mode)
      // The client may be running and have written the file meanwhile.
      if ((await readSettingsFile(path)) !== before)
        throw new CliError(`${path} was changed by another program.`, 'Run the command again.')
      await rename(temporary, target)
    } finally {
      await rm(temporary, { force: true })
    }
    return { backup, folder }
  } catch (cause) {
    throw cause instanceof CliError ? cause : unusableSettingsError(path, cause)
  }
}

/**
 * Deletes a settings file that svc created.
 * @param folder the first directory that was created for it, which is deleted if it is empty.
 * @throws CliError
 */
export const deleteSettingsFile = async (path: string, folder?: string): Promise<void> => {
  try {
    const target = await resolveLink(path)
    await unlink(target)
    if (folder) await removeEmptyFolders(dirname(target), folder)
  } catch (cause) {
    throw unusableSettingsError(path, cause)
  }
}

const removeEmptyFolders = async (from: string, to: string): Promise<void> => {
  for (let path = from; `${path}/`.startsWith(`${to}/`); path = dirname(path)) {
    const isEmpty = await rmdir(path).then(
      () => true,
      () => false,
    )
    if (!isEmpty) return
  }
}

/** A rename could replace a file that its owner protects. */
const expectWritable = (path: string, mode: number): void => {
  if (mode & 0o222) return
  throw new CliError(
    `${path} is read-only.`,
    'If another program manages it, make the change there. Otherwise make it writable and run the command again.',
  )
}

/** The target of a symbolic link, even if it does not exist. */
const resolveLink = async (path: string): Promise<string> => {
  const link = await readlink(path).catch(() => undefined)
  return link === undefined ? path : resolveLink(resolve(dirname(path), link))
}

const backUp = async (path: string): Promise<string> => {
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const backup = `${path}.before-svc-${now}`
  await copyFile(path, backup, constants.COPYFILE_EXCL).catch((error) => {
    // A backup of the same second exists: it has the original content.
    if (error.code !== 'EEXIST') throw error
  })
  return backup
}

const unusableSettingsError = (path: string, cause: unknown) =>
  new CliError(
    `Cannot access ${path}: ${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}.`,
    'Repair the file or its permissions, then run the command again.',
    { cause },
  )
