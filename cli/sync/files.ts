import { constants } from 'node:fs'
import { type FileHandle, link, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const PREFIX = '.svc-'
const SUFFIX = '.tmp'

/** Whether svc created a file while it wrote another one, and was ended before it could delete it. */
export const isTemporary = (name: string): boolean =>
  name.startsWith(PREFIX) && name.endsWith(SUFFIX)

const temporaryBeside = (path: string): string =>
  join(dirname(path), `${PREFIX}${crypto.randomUUID()}${SUFFIX}`)

const writeTemporary = async (path: string, text: string, mode: number): Promise<string> => {
  const temporary = temporaryBeside(path)
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(text)
    // Before the name: after a power failure, a new name must not have an empty file.
    await file.datasync()
    // The mode of `open` is reduced by the umask.
    if (mode !== NEW_MODE) await file.chmod(mode)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return temporary
}

const NEW_MODE = 0o666

/** Errors of file systems without hard links, such as FAT. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'])

/**
 * Creates a file with its whole text, or not at all.
 * @returns false if there is a file of that name.
 */
export const createFile = async (path: string, text: string): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true })
  const temporary = await writeTemporary(path, text, NEW_MODE)
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
    if (await exists(path)) return false
    await rename(temporary, path)
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const openRegular = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))

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

/** Calls `change` with the bytes of a file. Nothing happens to a file that an editor changed since. */
export type ChangeText = (bytes: Buffer) => string | undefined

/**
 * Replaces a file atomically.
 *
 * An editor may save at any moment. One that replaces the file is noticed by a last look before the rename. One that
 * writes into the file writes into the old one after the rename, which is still open: its text is put back.
 * @param change returns the new text, or undefined to leave the file.
 * @returns whether the file was replaced.
 */
export const replaceFile = async (path: string, change: ChangeText): Promise<boolean> => {
  const file = await openRegular(path)
  try {
    const bytes = await readAll(file)
    const text = change(bytes)
    if (text === undefined) return false
    if (bytes.equals(Buffer.from(text))) return true
    const { mode, ino, dev } = await file.stat()
    const temporary = await writeTemporary(path, text, mode & 0o7777)
    const now = await stat(path).catch(() => undefined)
    const isUnchanged = now?.ino === ino && now.dev === dev && (await readAll(file)).equals(bytes)
    if (!isUnchanged) {
      await rm(temporary, { force: true })
      return false
    }
    await rename(temporary, path)
    const after = await readAll(file)
    if (after.equals(bytes)) return true
    const restored = await writeTemporary(path, after.toString(), mode & 0o7777)
    await rename(restored, path)
    return false
  } finally {
    await file.close()
  }
}

/**
 * Deletes a file, and the folders that are empty then.
 * @param isExpected whether the bytes are those that may be deleted.
 * @returns whether it was deleted.
 */
export const removeFile = async (
  root: string,
  path: string,
  isExpected: (bytes: Buffer) => boolean,
): Promise<boolean> => {
  const full = join(root, path)
  const file = await openRegular(full)
  try {
    if (!isExpected(await readAll(file))) return false
  } finally {
    await file.close()
  }
  await rm(full)
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (
      !(await rmdir(join(root, folder)).then(
        () => true,
        () => false,
      ))
    )
      break
  return true
}
