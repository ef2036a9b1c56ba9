import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes the names in a directory durable. */
export const syncDirectory = async (path: string): Promise<void> => {
  await using directory = await open(path)
  await directory.sync()
}

export const syncDirectorySync = (path: string): void => {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Creates a private directory and its parents durably, unless it exists. */
export const makeDirectory = (path: string): void => {
  const created = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (created === undefined) return
  for (let at = path; at.length >= created.length; at = dirname(at)) syncDirectorySync(dirname(at))
}

/**
 * Replaces a private file durably. After a crash, it has either the old or the new content.
 * @param draft the path of the new content until it is complete.
 */
export const replaceFile = async (
  path: string,
  content: Uint8Array,
  draft = `${path}.${crypto.randomUUID()}`,
): Promise<void> => {
  await writeFile(draft, content, { mode: 0o600, flush: true })
  await rename(draft, path)
  await syncDirectory(dirname(path))
}

/** Writes a private file, whose name the caller makes durable. */
export const writeSynced = (path: string, text: string): void =>
  writeFileSync(path, text, { mode: 0o600, flush: true })
