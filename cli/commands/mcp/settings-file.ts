import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CliError } from '../../errors.ts'
import { stripControls } from '../../output.ts'

/** Reads the settings of a client; undefined if the file does not exist. @throws CliError */
export const readSettingsFile = async (path: string): Promise<string | undefined> => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusableSettingsError(path, cause)
  }
}

/**
 * Replaces the settings atomically. Permissions and symbolic links are kept.
 * @returns the path of the backup. @throws CliError
 */
export const replaceSettingsFile = async (
  path: string,
  before: string | undefined,
  after: string,
): Promise<string | undefined> => {
  try {
    await mkdir(dirname(path), { recursive: true })
    const target = await resolveLink(path)
    const mode = before === undefined ? undefined : (await stat(target)).mode & 0o777
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
    return backup
  } catch (cause) {
    throw cause instanceof CliError ? cause : unusableSettingsError(path, cause)
  }
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

/** The changed lines: removed ones with `-`, added ones with `+`. */
export const formatDiff = (before: string, after: string): string => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const isSame = (i: number, j: number) => old.at(i) !== undefined && old.at(i) === fresh.at(j)
  const most = Math.min(old.length, fresh.length)
  let start = 0
  while (start < most && isSame(start, start)) start++
  let end = 0
  while (end < most - start && isSame(-1 - end, -1 - end)) end++
  const changed = (lines: string[], mark: string) =>
    lines.slice(start, lines.length - end).map((line) => `${mark} ${line}`)
  return stripControls([...changed(old, '-'), ...changed(fresh, '+')].join('\n'))
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
