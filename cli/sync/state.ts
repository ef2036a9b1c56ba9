import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../errors.ts'
import { type FileLock, lockFile } from '../file-lock.ts'
import type { Base } from './plan.ts'

/** The folder with the state of a synced folder. */
export const STATE_FOLDER = '.svc'

const FORMAT = 1

/** The account that a folder belongs to. */
export interface Owner {
  /** The origin of the server. */
  url: string
  user_id: string
  org_id: string | null
}

export interface State {
  owner: Owner
  /** Where the changes of the account continue; undefined: all of it is read. */
  cursor?: string | undefined
  /** The synced memories by id. */
  base: Map<string, Base>
  /** The memories that the last run with deleted files forgot, and the paths of their files. */
  forgotten: { id: string; path: string }[]
  /** Whether it has not ended. */
  isForgetting?: boolean | undefined
  /** The paths that restored memories get again. */
  places: Map<string, string>
}

const fileIn = (root: string) => join(root, STATE_FOLDER, 'state.json')

/** @returns undefined if the folder was never synced. @throws CliError if the state is damaged. */
export const readState = (root: string): State | undefined => {
  const text = readIfExists(fileIn(root))
  if (text === undefined) return undefined
  try {
    const { format, base, places, ...state } = JSON.parse(text)
    if (format !== FORMAT) throw new Error(`format ${format}`)
    return { ...state, base: new Map(base), places: new Map(places) }
  } catch (cause) {
    throw new CliError(
      `${fileIn(root)} is damaged, or of another version of svc.`,
      `Delete ${join(root, STATE_FOLDER)} and run it again: files and memories are compared anew, and none is lost.`,
      { cause },
    )
  }
}

const readIfExists = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces the state atomically. */
export const writeState = async (root: string, state: State): Promise<void> => {
  const path = fileIn(root)
  const { base, places, ...rest } = state
  const text = JSON.stringify({ format: FORMAT, ...rest, base: [...base], places: [...places] })
  // The lock keeps others away from the name, and the next run replaces what is left of it.
  const temporary = `${path}.tmp`
  await writeFile(temporary, text, { mode: 0o600, flush: true })
  await rename(temporary, path)
}

/** Creates the folder for the state, which git ignores. */
export const prepareStateFolder = (root: string): void => {
  const folder = join(root, STATE_FOLDER)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, '.gitignore'), '*\n')
  } catch (cause) {
    throw new CliError(
      `Cannot write to ${folder}: ${(cause as NodeJS.ErrnoException).code}.`,
      'Check the permissions of the folder.',
      { cause },
    )
  }
}

const LOCK_WAIT_MS = 3_000

/** @throws CliError if another process syncs the folder. */
export const lockFolder = async (root: string): Promise<FileLock> => {
  const lock = await lockFile(join(root, STATE_FOLDER, 'lock'), LOCK_WAIT_MS)
  if (lock) return lock
  throw new CliError(
    `Another svc sync is using ${root}.`,
    'Wait until it ends. One with --watch syncs the folder until it is stopped.',
  )
}
