import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { isDevice } from './names.ts'

/** An entry in the way of a path: it belongs to the user, and nothing is read, written or deleted through it. */
export class BlockedPath extends Error {
  constructor(
    /** The entry in the folder; empty: the folder itself. */
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path} ${problem}`)
  }
}

export const IS_LINK = 'is a symbolic link, which is not followed'

/** Linux opens a name in an opened folder. So a folder that becomes a link meanwhile leads nowhere. */
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd')
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** A folder that was reached without a link. */
interface Opened extends Disposable {
  /** A path of a name in it. */
  at(name: string): string
}

const openFolder = (path: string, shown: string): Opened => {
  if (!HAS_DESCRIPTOR_PATHS) {
    refuseOther(path, shown)
    return { at: (name) => join(path, name), [Symbol.dispose]() {} }
  }
  try {
    const descriptor = openSync(path, FOLDER)
    return {
      at: (name) => `/proc/self/fd/${descriptor}/${name}`,
      [Symbol.dispose]: () => closeSync(descriptor),
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR' || code === 'ELOOP') refuseOther(path, shown)
    throw error
  }
}

const refuseOther = (path: string, shown: string): void => {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) throw new BlockedPath(shown, IS_LINK)
  if (!entry.isDirectory()) throw new BlockedPath(shown, 'is not a folder')
}

const openOrCreate = (path: string, shown: string): Opened => {
  try {
    return openFolder(path, shown)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return openFolder(path, shown)
}

/** Names that lead out of a folder or to a device. */
const isUnsafe = (name: string): boolean =>
  ['', '.', '..'].includes(name) ||
  /[/\0]/.test(name) ||
  (process.platform === 'win32' && (/[\\:*?"<>|]|[ .]$/.test(name) || isDevice(name)))

/** The names of a path in a folder. @throws BlockedPath if it leads out of it. */
const namesIn = (path: string): string[] => {
  const names = path.split('/')
  if (names.some(isUnsafe)) throw new BlockedPath(path, 'is not a path in the folder')
  return names
}

/** Opens the folder of a path, name by name, and never through a link. */
const openParent = (root: string, folders: string[], create: boolean): Opened => {
  let opened = openFolder(root, '')
  for (const [index, name] of folders.entries()) {
    using parent = opened
    const open = create ? openOrCreate : openFolder
    opened = open(parent.at(name), folders.slice(0, index + 1).join('/'))
  }
  return opened
}

/** An error of the system that names the path which the user knows. */
const withPath = (error: unknown, path: string): unknown => {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || !(error instanceof Error)) return error
  return Object.assign(error, { path })
}

interface Entry {
  /** The path of the entry for the system. */
  path: string
  /** The path of another name beside it. */
  beside(name: string): string
}

/**
 * Calls `work` with an entry of a folder, which need not exist. Every access to a synced folder goes through here.
 * @param create whether missing folders on the way are created.
 * @throws BlockedPath if a link or a file is in the way.
 */
export const withEntry = async <T>(
  root: string,
  path: string,
  work: (entry: Entry) => Promise<T>,
  create = false,
): Promise<T> => {
  const names = namesIn(path)
  const name = names.pop() as string
  try {
    using parent = openParent(root, names, create)
    return await work({ path: parent.at(name), beside: parent.at })
  } catch (error) {
    throw withPath(error, join(root, path))
  }
}

/** Calls `work` with a function for the entries of a folder. @param path empty: the root. */
export const withFolder = async <T>(
  root: string,
  path: string,
  work: (at: (name: string) => string) => Promise<T>,
): Promise<T> => {
  try {
    using folder = openParent(root, path === '' ? [] : namesIn(path), false)
    return await work(folder.at)
  } catch (error) {
    throw withPath(error, join(root, path))
  }
}
