import type { Client } from '../../shared/client.ts'
import type { Memory } from '../../shared/contract/memories.ts'
import type { RemoteAccount } from './account.ts'
import { type MemoryFile, relabelDocument } from './document.ts'
import { type Fields, fieldsOfMemory, infoOf, isSame } from './fields.ts'
import { decodeFile, type FileBytes, readFileIn, replaceFile } from './files.ts'
import { BlockedPath } from './folder.ts'
import { type Frame, frameOf } from './frame.ts'
import type { Kept } from './kept.ts'
import type { FileNames } from './names.ts'
import type { FoundFile } from './plan.ts'
import type { Change, SyncReport } from './report.ts'
import { readBytes } from './scan.ts'
import type { State } from './state.ts'

/** The context that the steps of one run share. */
export interface Run {
  root: string
  client: Client
  signal: AbortSignal
  state: State
  account: RemoteAccount
  names: FileNames
  kept: Kept
  report: SyncReport
  /** The day for the names of conflicts, ISO 8601. */
  today: string
  /** The file of each memory: two files never have the same one. */
  owners: Map<string, string>
  /** The memories that this run supersedes. */
  outdated: ReadonlySet<string>
  /** Files or memories changed while the run looked: another run is needed. */
  isStale: boolean
  onProgress(text: string): void
  /** Saves the state. Not while another step may save it, too. */
  save(): Promise<void>
  /** Saves the state, unless it was just saved. */
  checkpoint(): Promise<void>
}

export const record = (run: Run, change: Change): void => void run.report.changes.push(change)

/** Names an entry in the way, and passes over it: the next round looks again. @throws any other error. */
export const passOver = (run: Run, error: unknown): void => {
  if (!(error instanceof BlockedPath) || error.path === '') throw error
  const { path, problem } = error
  const { warnings } = run.report
  if (!warnings.some((warning) => warning.path === path)) warnings.push({ path, problem })
  run.isStale = true
}

/** A file with its text, if it is still as it was found. */
export const readPlanned = async (
  run: Run,
  file: FoundFile,
): Promise<(MemoryFile & { text: string; mode: number }) | undefined> => {
  const found = await readFileIn(run.root, file.path).catch(() => undefined)
  const document = found && asPlanned(found.bytes, file.fields)
  if (document) return { ...document, mode: found.mode }
  run.isStale = true
  return undefined
}

export const asPlanned = (
  bytes: Uint8Array,
  fields: Fields | undefined,
): (MemoryFile & { text: string }) | undefined => {
  const document = readBytes(bytes)
  if ('problem' in document || !fields || !isSame(document.fields, fields)) return undefined
  return { ...document, text: decodeFile(bytes) ?? '' }
}

/**
 * Replaces a file that is still as it was found.
 * @param keep a path that the old file gets.
 * @returns the file; undefined: it changed.
 */
export const replacePlanned = async (
  run: Run,
  { path, fields }: FoundFile,
  toText: (text: string) => string,
  keep?: string,
): Promise<Written | undefined> => {
  const change = (bytes: Buffer) => {
    const document = asPlanned(bytes, fields)
    return document && toText(document.text)
  }
  const replaced = await replaceFile(run.root, path, change, keep).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') passOver(run, error)
    return undefined
  })
  if (!replaced) run.isStale = true
  return replaced && writtenOf(replaced)
}

/** A file that svc wrote. */
export interface Written extends MemoryFile {
  text: string
  mode: number
}

/** @returns undefined if the file cannot be a memory. */
export const writtenOf = ({ bytes, mode }: FileBytes): Written | undefined => {
  const document = readBytes(bytes)
  return 'problem' in document ? undefined : { ...document, text: bytes.toString(), mode }
}

/** Writes the id of a memory into its file. Without the permission, the file is known by its path. */
export const relabel = async (run: Run, file: FoundFile, memory: Memory): Promise<void> => {
  try {
    const written = await replacePlanned(run, file, (text) => relabelDocument(text, memory))
    const known = run.state.base.get(memory.memory_id)
    if (written && known) known.frame = frameFor(written, memory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    run.report.warnings.push({ path: file.path, problem: `cannot be written (${code})` })
  }
}

export const frameFor = (written: Written, memory: Memory): Frame =>
  frameOf(written, written.content === memory.content_text)

interface Settled {
  path: string
  /** Of the file. */
  local: Fields
  frame?: Frame | undefined
  /** The memory that the file had before. */
  old?: string | undefined
}

/** Records that a file and a memory are equal. */
export const settle = (run: Run, memory: Memory, { path, local, frame, old }: Settled): void => {
  const { base } = run.state
  if (old !== undefined && old !== memory.memory_id) base.delete(old)
  const remote = fieldsOfMemory(memory)
  base.set(memory.memory_id, { path, local, remote, info: infoOf(memory), frame })
  run.owners.set(memory.memory_id, path)
}
