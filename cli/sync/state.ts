import { join } from 'node:path'
import { CliError } from '../errors.ts'
import { type FileLock, lockFile } from '../file-lock.ts'
import { makePrivateFile, makePrivateFolder, readIfExists, writePrivate } from './files.ts'
import { BlockedPath, IS_LINK } from './folder.ts'
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

const STATE_FILE = `${STATE_FOLDER}/state.json`

/** @returns undefined if the folder was never synced. @throws CliError if the state is damaged. */
export const readState = async (root: string): Promise<State | undefined> => {
  const file = await readIfExists(root, STATE_FILE).catch((cause: unknown) => {
    throw cause instanceof BlockedPath ? unusable(root, cause) : cause
  })
  if (!file) return undefined
  try {
    const { format, base, places, ...state } = JSON.parse(file.bytes.toString())
    if (format !== FORMAT) throw new Error(`format ${format}`)
    return { ...state, base: new Map(base), places: new Map(places) }
  } catch (cause) {
    const path = join(root, STATE_FILE)
    throw new CliError(
      `${path} is damaged, or of another version of svc.`,
      `Delete ${path} and run it again: files and memories are compared anew, and none is lost.`,
      { cause },
    )
  }
}

/** Replaces the state atomically. */
export const writeState = async (root: string, state: State): Promise<void> => {
  const { base, places, ...rest } = state
  const text = JSON.stringify({ format: FORMAT, ...rest, base: [...base], places: [...places] })
  await writePrivate(root, STATE_FILE, text)
}

const GIT_IGNORE = `${STATE_FOLDER}/.gitignore`
const ALL = '*\n'

/** Creates the folder for the state, which git ignores. */
export const prepareStateFolder = async (root: string): Promise<void> => {
  try {
    await makePrivateFolder(root, STATE_FOLDER)
    if ((await readIfExists(root, GIT_IGNORE))?.bytes.toString() !== ALL)
      await writePrivate(root, GIT_IGNORE, ALL)
  } catch (cause) {
    throw unusable(root, cause)
  }
}

const unusable = (root: string, cause: unknown): CliError =>
  new CliError(
    `Cannot write to ${join(root, STATE_FOLDER)}: ${reasonOf(cause)}.`,
    'Check the permissions of the folder.',
    { cause },
  )

const reasonOf = (cause: unknown): string | undefined => {
  if (!(cause instanceof BlockedPath)) return (cause as NodeJS.ErrnoException).code
  return cause.problem === IS_LINK ? `${cause.path} ${IS_LINK}` : 'EEXIST'
}

const LOCK_FILE = `${STATE_FOLDER}/lock`
const LOCK_WAIT_MS = 3_000

/** @throws CliError if another process syncs the folder. */
export const lockFolder = async (root: string): Promise<FileLock> => {
  // SQLite opens it by its path.
  await makePrivateFile(root, LOCK_FILE)
  const lock = await lockFile(join(root, LOCK_FILE), LOCK_WAIT_MS)
  if (lock) return lock
  throw new CliError(
    `Another svc sync is using ${root}.`,
    'Wait until it ends. One with --watch syncs the folder until it is stopped.',
  )
}
