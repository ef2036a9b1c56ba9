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
import { safe } from '../../output.ts'

/** The settings of another program; undefined where there are none. @throws CliError */
export const readSettings = async (path: string): Promise<string | undefined> => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, cause)
  }
}

/**
 * Replaces them as a whole or not at all, with the same permissions; a link stays one.
 * @returns where a copy of what was there before is. @throws CliError
 */
export const replaceSettings = async (
  path: string,
  before: string | undefined,
  after: string,
): Promise<string | undefined> => {
  try {
    await mkdir(dirname(path), { recursive: true })
    const target = await targetOf(path)
    const mode = before === undefined ? undefined : (await stat(target)).mode & 0o777
    const backup = before === undefined ? undefined : await backUp(target)
    const fresh = `${target}.${crypto.randomUUID()}.tmp`
    try {
      await writeFile(fresh, after, { flag: 'wx', ...(mode !== undefined && { mode }) })
      // What a file is made with, the umask narrows.
      if (mode !== undefined) await chmod(fresh, mode)
      // Its program may run, and have written just now.
      if ((await readSettings(path)) !== before)
        throw new CliError(`${path} has just changed.`, 'Run it again.')
      await rename(fresh, target)
    } finally {
      await rm(fresh, { force: true })
    }
    return backup
  } catch (cause) {
    throw cause instanceof CliError ? cause : unusable(path, cause)
  }
}

/** Where a link leads, also to a file that is not there yet. */
const targetOf = async (path: string): Promise<string> => {
  const link = await readlink(path).catch(() => undefined)
  return link === undefined ? path : targetOf(resolve(dirname(path), link))
}

const backUp = async (path: string): Promise<string> => {
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const backup = `${path}.before-svc-${now}`
  await copyFile(path, backup, constants.COPYFILE_EXCL).catch((error) => {
    // Two in the same second: the first has what was there before both.
    if (error.code !== 'EEXIST') throw error
  })
  return backup
}

const unusable = (path: string, cause: unknown) =>
  new CliError(
    `${path} cannot be used: ${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}.`,
    'Mend the file or its permissions, and run it again.',
    { cause },
  )

/** The lines that differ, those of before with `-` and those of after with `+`. */
export const difference = (before: string, after: string): string => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const isSame = (i: number, j: number) => old.at(i) !== undefined && old.at(i) === fresh.at(j)
  const most = Math.min(old.length, fresh.length)
  let start = 0
  while (start < most && isSame(start, start)) start++
  let end = 0
  while (end < most - start && isSame(-1 - end, -1 - end)) end++
  const changed = (lines: string[], mark: string) =>
    lines.slice(start, lines.length - end).map((line) => `${mark} ${line}`)
  return safe([...changed(old, '-'), ...changed(fresh, '+')].join('\n'))
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
