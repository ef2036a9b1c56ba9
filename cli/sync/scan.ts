import type { Dirent } from 'node:fs'
import pLimit from 'p-limit'
import { MAX_FILE_BYTES, type MemoryFile, readDocument, type UnreadableFile } from './document.ts'
import { decodeFile, isTemporary, listFolder, lookAt, readFileIn } from './files.ts'
import { BlockedPath, IS_LINK } from './folder.ts'
import { frameOf } from './frame.ts'
import { isDependencies, isIgnoredBy, outerRules, type Rules, rulesIn } from './ignored.ts'
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
  /** Those of them that are folders. */
  folders: string[]
  /** Temporary files of a run that was ended. While another process syncs the folder, they may be its own. */
  leftovers: string[]
}

export interface ScanOptions {
  /** The files that are synced already: rules do not keep them out. */
  base: ReadonlyMap<string, Base>
  signal?: AbortSignal | undefined
  /** Also the files that git ignores. */
  isAll?: boolean | undefined
  /** Larger files are named and skipped. */
  maxBytes?: number | undefined
}

/** Any text that can be a memory fits, with its front matter. */
export const DEFAULT_MAX_BYTES = 2 ** 17

interface Seen {
  path: string
  stamp: string | undefined
  size: number
  /** Git ignores it, and it is not synced yet. */
  isIgnored: boolean
}

/** Files that are read at the same time. */
const reads = pLimit(16)

/** A file that was changed in this time is read again: its times may not show another change. */
const SETTLED_MS = 2_000

export const emptyScan = (): Scan => ({
  files: [],
  warnings: [],
  hidden: [],
  paths: [],
  folders: [],
  leftovers: [],
})

/**
 * Finds the Markdown files of a folder, and reads those that changed since `base`. Hidden files and folders are ignored,
 * such as `.git` and `.obsidian`, and what git ignores; links are not followed.
 */
export const scanFolder = async (root: string, options: ScanOptions): Promise<Scan> => {
  const { base, signal, maxBytes = DEFAULT_MAX_BYTES } = options
  const scan = emptyScan()
  const all = await walk(root, scan, options)
  const known = new Map([...base].map(([id, each]) => [each.path, { id, ...each }]))
  const visible = all.filter(({ isIgnored }) => !isIgnored)
  const read = ({ path, stamp, size }: Seen): Promise<FoundFile> | FoundFile => {
    const before = known.get(path)
    if (before?.stamp !== undefined && before.stamp === stamp && before.frame)
      return { path, id: before.id, fields: before.local, stamp, frame: before.frame }
    return reads(async () => {
      signal?.throwIfAborted()
      const found = await readFound(root, path, { size, maxBytes })
      if ('problem' in found) {
        if (found.problem !== IS_GONE) scan.warnings.push({ path, problem: found.problem })
        return { path, id: found.id, fields: undefined, stamp }
      }
      const { id, fields } = found
      const remote = (base.get(id ?? '') ?? before)?.remote
      const isStored = remote === undefined || remote.content === fields.content
      return { path, id, fields, stamp, frame: frameOf(found, isStored) }
    })
  }
  scan.files = await Promise.all(visible.map(read))
  // A synced file that was moved to a name that git ignores is still synced.
  if (
    visible.length < all.length &&
    known.size > visible.filter(({ path }) => known.has(path)).length
  ) {
    const { warnings } = scan
    scan.warnings = []
    const moved = await Promise.all(all.filter(({ isIgnored }) => isIgnored).map(read))
    scan.warnings = warnings
    scan.files.push(...moved.filter(({ id }) => id !== undefined && base.has(id)))
  }
  scan.warnings.sort((a, b) => (a.path < b.path ? -1 : 1))
  return scan
}

/** The number of files that a first run would make memories of. It reads none of them. */
export const countCandidates = async (root: string, options: ScanOptions): Promise<number> => {
  const { maxBytes = DEFAULT_MAX_BYTES } = options
  const all = await walk(root, emptyScan(), options)
  return all.filter(({ isIgnored, size }) => !isIgnored && size <= maxBytes).length
}

const TOO_LARGE: UnreadableFile = { id: undefined, problem: 'is too large for a memory' }
const IS_GONE = 'was deleted'

const readFound = async (
  root: string,
  path: string,
  { size, maxBytes }: { size: number; maxBytes: number },
): Promise<(MemoryFile & { text: string; mode: number }) | UnreadableFile> => {
  if (size > MAX_FILE_BYTES) return TOO_LARGE
  if (size > maxBytes)
    return {
      id: undefined,
      problem: `is larger than ${Math.round(maxBytes / 1024)} KiB, see --max-size`,
    }
  try {
    const { bytes, mode } = await readFileIn(root, path)
    const document = readBytes(bytes)
    return 'problem' in document ? document : { ...document, text: bytes.toString(), mode }
  } catch (error) {
    return { id: undefined, problem: problemOf(error) }
  }
}

const problemOf = (error: unknown): string => {
  if (error instanceof BlockedPath) return error.problem
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? IS_GONE : `cannot be read (${code})`
}

/** Reads the bytes of a file as UTF-8. */
export const readBytes = (bytes: Uint8Array): MemoryFile | UnreadableFile => {
  const text = decodeFile(bytes)
  return text === undefined ? { id: undefined, problem: 'is not UTF-8 text' } : readDocument(text)
}

/** A folder to look into. */
interface Place {
  /** Empty: the root. */
  path: string
  rules: Rules | undefined
  /** Only synced files are looked for in it. */
  isIgnored: boolean
}

/** The parts of a walk that each entry needs. */
interface Walk {
  scan: Scan
  /** The synced files, and their folders, each with a slash at the end. */
  synced: ReadonlySet<string>
  isAll: boolean
}

/** The paths of the synced files, and of each folder on the way to them. */
const syncedPaths = (base: ReadonlyMap<string, Base>): Set<string> => {
  const paths = new Set<string>()
  for (const { path } of base.values()) {
    paths.add(path)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (paths.has(path.slice(0, end + 1))) break
      paths.add(path.slice(0, end + 1))
    }
  }
  return paths
}

/** Depth first, with an own list in place of recursion: folders may be as deep as a path is long. */
const walk = async (
  root: string,
  scan: Scan,
  { base, isAll = false }: ScanOptions,
): Promise<Seen[]> => {
  const seen: Seen[] = []
  const of = { scan, synced: syncedPaths(base), isAll }
  const outer = isAll ? undefined : await outerRules(root)
  const places: Place[] = [{ path: '', rules: outer, isIgnored: false }]
  for (let place = places.pop(); place; place = places.pop()) {
    const prefix = place.path && `${place.path}/`
    const rules = isAll || place.isIgnored ? undefined : await rulesIn(root, prefix, place.rules)
    const here = { ...place, rules }
    const look = (entry: Dirent, path: string) => lookAtEntry(of, here, entry, path)
    for (const found of await listPlace(root, place.path, scan, look)) {
      if (found && 'rules' in found) places.push(found)
      else if (found) seen.push(found)
    }
  }
  return seen
}

type Found = Place | Seen | undefined

const listPlace = (
  root: string,
  folder: string,
  scan: Scan,
  look: (entry: Dirent, path: string) => Promise<Found>,
): Promise<Found[]> =>
  listFolder(root, folder, look).catch((error: NodeJS.ErrnoException) => {
    if (folder === '') throw error
    scan.warnings.push({ path: folder, problem: problemOf(error) })
    scan.hidden.push(`${folder}/`, folder)
    return []
  })

/** @param system the path for the system. @returns a folder, a Markdown file, or nothing. */
const lookAtEntry = async (
  { scan, synced, isAll }: Walk,
  { path: folder, rules, isIgnored }: Place,
  entry: Dirent,
  system: string,
): Promise<Found> => {
  const { name } = entry
  const path = folder ? `${folder}/${name}` : name
  if (isTemporary(name)) scan.leftovers.push(path)
  if (name.startsWith('.')) return undefined
  scan.paths.push(path)
  if (entry.isSymbolicLink()) {
    scan.warnings.push({ path, problem: IS_LINK })
    scan.hidden.push(`${path}/`, path)
    return undefined
  }
  if (entry.isDirectory()) {
    scan.folders.push(path)
    const isOut = isIgnored || isDependencies(name) || (!isAll && isIgnoredBy(rules, `${path}/`))
    return isOut && !synced.has(`${path}/`) ? undefined : { path, rules, isIgnored: isOut }
  }
  if (!/\.md$/i.test(name) || !entry.isFile()) return undefined
  try {
    const { mtimeMs, mtimeNs, ctimeNs, size, ino } = await lookAt(system)
    const isSettled = Math.abs(Date.now() - Number(mtimeMs)) > SETTLED_MS
    const stamp = isSettled ? `${mtimeNs}:${ctimeNs}:${size}:${ino}` : undefined
    const isOut = !synced.has(path) && (isIgnored || isIgnoredBy(rules, path))
    return { path, stamp, size: Number(size), isIgnored: isOut }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A name that is not UTF-8 cannot be opened by the name that the system returns.
    if (code === 'ENOENT' && !name.includes('\ufffd')) return undefined
    scan.warnings.push({ path, problem: 'has a name that is not UTF-8, or cannot be read' })
    scan.hidden.push(path)
    return undefined
  }
}
