import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { type Document, MAX_FILE_BYTES, readDocument, type Unreadable } from './document.ts'
import { isTemporary } from './files.ts'
import type { Base, FoundFile } from './plan.ts'

/** A file that is skipped, by its path in the folder, and the reason. */
export interface Warning {
  path: string
  problem: string
}

export interface Scan {
  files: FoundFile[]
  warnings: Warning[]
  /** Folders whose files cannot be seen now, each with a slash at the end. */
  hidden: string[]
  /** All names, also of other files. */
  paths: string[]
  /** Temporary files of a run that was ended. While another process syncs the folder, they may be its own. */
  leftovers: string[]
}

interface Seen {
  path: string
  stamp: string | undefined
  size: number
}

/** Files that are read at the same time. */
const reads = pLimit(16)

/** A file that was changed in this time is read again: its times may not show another change. */
const SETTLED_MS = 2_000

/**
 * Finds the Markdown files of a folder, and reads those that changed since `base`. Hidden files and folders are ignored,
 * such as `.git` and `.obsidian`; links are not followed.
 */
export const scanFolder = async (
  root: string,
  base: ReadonlyMap<string, Base>,
  signal?: AbortSignal,
): Promise<Scan> => {
  const scan: Scan = { files: [], warnings: [], hidden: [], paths: [], leftovers: [] }
  const seen: Seen[] = []
  await walk(root, '', scan, seen)
  const known = new Map([...base].map(([id, each]) => [each.path, { id, ...each }]))
  scan.files = await Promise.all(
    seen.map(({ path, stamp, size }) => {
      const before = known.get(path)
      if (before?.stamp !== undefined && before.stamp === stamp)
        return { path, id: before.id, fields: before.local, stamp }
      return reads(async () => {
        signal?.throwIfAborted()
        const document = size > MAX_FILE_BYTES ? TOO_LARGE : await readFound(root, path)
        if ('problem' in document) {
          if (document.problem !== IS_GONE) scan.warnings.push({ path, problem: document.problem })
          return { path, id: document.id, fields: undefined, stamp }
        }
        return { path, id: document.id, fields: document.fields, stamp }
      })
    }),
  )
  scan.warnings.sort((a, b) => (a.path < b.path ? -1 : 1))
  return scan
}

const TOO_LARGE: Unreadable = { id: undefined, problem: 'is too large for a memory' }
const IS_GONE = 'was deleted'

const readFound = (root: string, path: string): Promise<Document | Unreadable> =>
  readFile(join(root, path)).then(readBytes, (error: NodeJS.ErrnoException) => ({
    id: undefined,
    problem: error.code === 'ENOENT' ? IS_GONE : `cannot be read (${error.code})`,
  }))

/** Reads the bytes of a file as UTF-8. */
export const readBytes = (bytes: Uint8Array): Document | Unreadable => {
  const text = decodeFile(bytes)
  return text === undefined ? { id: undefined, problem: 'is not UTF-8 text' } : readDocument(text)
}

/** The text with its byte order mark, if there is one; undefined: it is not UTF-8. */
export const decodeFile = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Depth first, with an own list in place of recursion: folders may be as deep as a path is long. */
const walk = async (root: string, start: string, scan: Scan, seen: Seen[]): Promise<void> => {
  const folders = [start]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await listFolder(root, folder, scan)
    const looks = entries.map((entry) => look(root, folder as string, entry, scan))
    for (const found of await Promise.all(looks)) {
      if (typeof found === 'string') folders.push(found)
      else if (found) seen.push(found)
    }
  }
}

const listFolder = (root: string, folder: string, scan: Scan): Promise<Dirent[]> =>
  readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (folder === '') throw error
    scan.warnings.push({ path: folder, problem: `cannot be read (${error.code})` })
    scan.hidden.push(`${folder}/`)
    return []
  })

/** @returns a folder as its path, a Markdown file, or nothing. */
const look = async (
  root: string,
  folder: string,
  entry: Dirent,
  scan: Scan,
): Promise<string | Seen | undefined> => {
  const { name } = entry
  const path = folder ? `${folder}/${name}` : name
  if (isTemporary(name)) scan.leftovers.push(path)
  if (name.startsWith('.')) return undefined
  scan.paths.push(path)
  const isMarkdown = /\.md$/i.test(name)
  if (entry.isSymbolicLink()) {
    scan.warnings.push({ path, problem: 'is a symbolic link, which is not followed' })
    scan.hidden.push(`${path}/`, path)
    return undefined
  }
  if (entry.isDirectory()) return path
  if (!isMarkdown || !entry.isFile()) return undefined
  try {
    const { mtimeMs, mtimeNs, ctimeNs, size, ino } = await lstat(join(root, path), { bigint: true })
    const isSettled = Math.abs(Date.now() - Number(mtimeMs)) > SETTLED_MS
    const stamp = isSettled ? `${mtimeNs}:${ctimeNs}:${size}:${ino}` : undefined
    return { path, stamp, size: Number(size) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A name that is not UTF-8 cannot be opened by the name that the system returns.
    if (code === 'ENOENT' && !name.includes('\ufffd')) return undefined
    scan.warnings.push({ path, problem: 'has a name that is not UTF-8, or cannot be read' })
    scan.hidden.push(path)
    return undefined
  }
}
