import { constants, type Dirent } from 'node:fs'
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  rmdir,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlockedPath, IS_LINK, withEntry, withFolder } from './folder.ts'

const PREFIX = '.svc-'
const SUFFIX = '.tmp'

/** Whether svc created a file while it wrote another one, and was ended before it could delete it. */
export const isTemporary = (name: string): boolean =>
  name.startsWith(PREFIX) && name.endsWith(SUFFIX)

const temporaryName = (): string => `${PREFIX}${crypto.randomUUID()}${SUFFIX}`

type Beside = (name: string) => string

type Text = string | Uint8Array

/** Writes a file that does not exist, durably. */
const writeNew = async (path: string, text: Text, mode: number): Promise<void> => {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text)
    // Before the name: after a power failure, a new name must not have an empty file.
    await file.datasync()
    // The mode of `open` is reduced by the umask.
    if (mode !== NEW_MODE) await file.chmod(mode)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

const writeTemporary = async (beside: Beside, text: Text, mode: number): Promise<string> => {
  const temporary = beside(temporaryName())
  await writeNew(temporary, text, mode)
  return temporary
}

const NEW_MODE = 0o666

/** Errors of file systems without hard links, such as FAT, and of links between two of them. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES', 'EXDEV'])

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/**
 * Creates a file with its whole text, or not at all.
 * @returns false if there is an entry of that name.
 */
export const createFile = (
  root: string,
  path: string,
  text: Text,
  mode = NEW_MODE,
): Promise<boolean> =>
  withEntry(
    root,
    path,
    async (entry) => {
      const temporary = await writeTemporary(entry.beside, text, mode)
      try {
        await link(temporary, entry.path)
        return true
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false
        if (!NO_LINKS.has(codeOf(error))) throw error
        if (await isThere(entry.path)) return false
        await rename(temporary, entry.path)
        return true
      } finally {
        await rm(temporary, { force: true })
      }
    },
    true,
  )

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Whether a path has an entry. An entry behind a link or a file counts: it cannot be seen. */
export const hasEntry = (root: string, path: string): Promise<boolean> =>
  withEntry(root, path, (entry) => isThere(entry.path)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return false
    if (error instanceof BlockedPath) return true
    throw error
  })

/** A pipe would be opened when something is written into it. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const openRegular = async (path: string, shown: string): Promise<FileHandle> => {
  // Windows does not refuse links by itself.
  if (constants.O_NOFOLLOW === undefined && (await lstat(path)).isSymbolicLink())
    throw new BlockedPath(shown, IS_LINK)
  const file = await open(path, READ).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? new BlockedPath(shown, IS_LINK) : error
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new BlockedPath(shown, 'is not a file')
}

const readAll = async (file: FileHandle): Promise<Buffer> => {
  const { size } = await file.stat()
  const bytes = Buffer.alloc(size)
  let length = 0
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, size - length, length)
    if (bytesRead === 0) return bytes.subarray(0, length)
    length += bytesRead
    if (length === size) return bytes
  }
}

/** The bytes of a file, and its mode. */
export interface FileBytes {
  bytes: Buffer
  mode: number
}

const readOpened = async (file: FileHandle): Promise<FileBytes> => ({
  bytes: await readAll(file),
  mode: (await file.stat()).mode & 0o7777,
})

export const readFileIn = (root: string, path: string): Promise<FileBytes> =>
  withEntry(root, path, async (entry) => {
    const file = await openRegular(entry.path, path)
    return readOpened(file).finally(() => file.close())
  })

/** @returns undefined if there is no such file. */
export const readIfExists = (root: string, path: string): Promise<FileBytes | undefined> =>
  readFileIn(root, path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })

/** The entries of a folder, each with what `look` finds. @param path empty: the root. */
export const listFolder = <T>(
  root: string,
  path: string,
  look: (entry: Dirent, path: string) => Promise<T>,
): Promise<T[]> =>
  withFolder(root, path, async (at) => {
    const entries = await readdir(at('.'), { withFileTypes: true })
    return Promise.all(entries.map((entry) => look(entry, at(entry.name))))
  })

/** The names in a folder; none if it does not exist. */
export const namesIn = (root: string, path: string): Promise<string[]> =>
  listFolder(root, path, async ({ name }) => name).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })

/** The version of an entry. @param path for the system, of `listFolder`. */
export const lookAt = (path: string) => lstat(path, { bigint: true })

/** Called with the bytes of a file. Nothing happens to a file that an editor changed since. */
export type ChangeText = (bytes: Buffer) => string | undefined

/** Keeps a file under a second path, which must be free. A hard link needs no space. */
const keepFile = (
  root: string,
  { from, to }: { from: string; to: string | undefined },
  { bytes, mode }: FileBytes,
): Promise<void> | undefined =>
  to === undefined
    ? undefined
    : withEntry(
        root,
        to,
        (entry) =>
          link(from, entry.path).catch((error: unknown) => {
            if (!NO_LINKS.has(codeOf(error))) throw error
            return writeNew(entry.path, bytes, mode)
          }),
        true,
      )

/** Writes a file that another one is kept in. Until it is complete, nothing refers to it. */
export const writeKept = (root: string, path: string, text: Text, mode: number): Promise<void> =>
  withEntry(root, path, (entry) => writeNew(entry.path, text, mode), true)

/**
 * Replaces a file atomically.
 *
 * An editor may save at any moment. One that replaces the file is noticed by a last look before the rename. One that
 * writes into the file writes into the old one after the rename, which is still open: its text is put back.
 * @param change returns the new text, or undefined to leave the file.
 * @param keep a path that the old file gets.
 * @returns the file after it was replaced; undefined: it was not.
 */
export const replaceFile = (
  root: string,
  path: string,
  change: ChangeText,
  keep?: string,
): Promise<FileBytes | undefined> =>
  withEntry(root, path, async (entry) => {
    const file = await openRegular(entry.path, path)
    try {
      const { bytes, mode } = await readOpened(file)
      const text = change(bytes)
      if (text === undefined) return undefined
      const changed = Buffer.from(text)
      if (bytes.equals(changed)) return { bytes, mode }
      const { ino, dev } = await file.stat()
      const temporary = await writeTemporary(entry.beside, changed, mode)
      try {
        const now = await lstat(entry.path).catch(() => undefined)
        const isOther = now?.ino !== ino || now.dev !== dev
        if (isOther || !(await readAll(file)).equals(bytes)) {
          await rm(temporary)
          return undefined
        }
        await keepFile(root, { from: entry.path, to: keep }, { bytes, mode })
        await rename(temporary, entry.path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      const after = await readAll(file)
      if (after.equals(bytes)) return { bytes: changed, mode }
      await rename(await writeTemporary(entry.beside, after, mode), entry.path)
      return undefined
    } finally {
      await file.close()
    }
  })

/**
 * Deletes a file, and the folders that are empty then.
 * @param isExpected whether the bytes are those that may be deleted.
 * @param keep a path that the file gets.
 * @returns whether it was deleted.
 */
export const removeFile = async (
  root: string,
  path: string,
  isExpected: (bytes: Buffer) => boolean,
  keep?: string,
): Promise<boolean> => {
  const isRemoved = await withEntry(root, path, async (entry) => {
    const file = await openRegular(entry.path, path)
    const found = await readOpened(file).finally(() => file.close())
    if (!isExpected(found.bytes)) return false
    await keepFile(root, { from: entry.path, to: keep }, found)
    await rm(entry.path)
    return true
  })
  if (isRemoved) await removeEmptyFolders(root, path)
  return isRemoved
}

const removeEmptyFolders = async (root: string, path: string): Promise<void> => {
  const folders = path.split('/').slice(0, -1)
  for (; folders.length > 0; folders.pop())
    try {
      await withEntry(root, folders.join('/'), (entry) => rmdir(entry.path))
    } catch {
      return
    }
}

/** Deletes an entry of svc, and all that is in it. */
export const removeEntry = (root: string, path: string): Promise<void> =>
  withEntry(root, path, (entry) => rm(entry.path, { recursive: true, force: true }))

/** Writes a private file of svc, atomically. Another process must not write it at the same time. */
export const writePrivate = (root: string, path: string, text: string): Promise<void> =>
  withEntry(
    root,
    path,
    async (entry) => {
      // The next run replaces what is left of it.
      const temporary = entry.beside(`${path.slice(path.lastIndexOf('/') + 1)}.tmp`)
      await rm(temporary, { force: true })
      await writeNew(temporary, text, 0o600)
      await rename(temporary, entry.path)
    },
    true,
  )

/** Creates a private folder of svc, if it does not exist. @throws if another entry has its name. */
export const makePrivateFolder = async (root: string, path: string): Promise<void> => {
  await withEntry(root, path, (entry) =>
    mkdir(entry.path, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    }),
  )
  await withFolder(root, path, async () => {})
}

/** Creates an empty private file of svc, if it does not exist. */
export const makePrivateFile = async (root: string, path: string): Promise<void> => {
  if (!(await readIfExists(root, path)))
    await withEntry(root, path, (entry) => writeNew(entry.path, '', 0o600))
}

/** Opens a private file of svc that is empty, for reading and writing. */
export const openPrivate = (root: string, path: string): Promise<FileHandle> =>
  withEntry(root, path, async (entry) => {
    await rm(entry.path, { force: true })
    return open(entry.path, 'wx+', 0o600)
  })

/** Calls `work` with a new folder for files that are needed meanwhile. */
export const withTemporaryFolder = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
  const path = await mkdtemp(join(tmpdir(), 'svc-sync-'))
  try {
    return await work(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

/** The text with its byte order mark, if there is one; undefined: it is not UTF-8. */
export const decodeFile = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
