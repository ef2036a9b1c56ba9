import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../../shared/client.ts'
import type { Memory } from '../../shared/contract/memories.ts'
import type { RemoteAccount } from './account.ts'
import { type Document, relabelDocument } from './document.ts'
import { type Fields, fieldsOfMemory, infoOf, isSame } from './fields.ts'
import { replaceFile } from './files.ts'
import type { Names } from './names.ts'
import type { FoundFile } from './plan.ts'
import type { Change, Report } from './report.ts'
import { decodeFile, readBytes } from './scan.ts'
import type { State } from './state.ts'

/** The context that the steps of one run share. */
export interface Run {
  root: string
  client: Client
  signal: AbortSignal
  state: State
  account: RemoteAccount
  names: Names
  report: Report
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

/** A file with its text, if it is still as it was found. */
export const readPlanned = async (
  run: Run,
  file: FoundFile,
): Promise<(Document & { text: string }) | undefined> => {
  const bytes = await readFile(join(run.root, file.path)).catch(() => undefined)
  const document = bytes && asPlanned(bytes, file.fields)
  if (document) return document
  run.isStale = true
  return undefined
}

export const asPlanned = (
  bytes: Uint8Array,
  fields: Fields | undefined,
): (Document & { text: string }) | undefined => {
  const document = readBytes(bytes)
  if ('problem' in document || !fields || !isSame(document.fields, fields)) return undefined
  return { ...document, text: decodeFile(bytes) ?? '' }
}

/** Replaces a file that is still as it was found. @returns whether it was. */
export const replacePlanned = async (
  run: Run,
  { path, fields }: FoundFile,
  toText: (text: string) => string,
): Promise<boolean> => {
  const isReplaced = await replaceFile(join(run.root, path), (bytes) => {
    const document = asPlanned(bytes, fields)
    return document && toText(document.text)
  }).catch(missing)
  if (!isReplaced) run.isStale = true
  return isReplaced
}

const missing = (error: NodeJS.ErrnoException): false => {
  if (error.code === 'ENOENT') return false
  throw error
}

/** Writes the id of a memory into its file. Without the permission, the file is known by its path. */
export const relabel = async (run: Run, file: FoundFile, memory: Memory): Promise<void> => {
  try {
    await replacePlanned(run, file, (text) => relabelDocument(text, memory))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    run.report.warnings.push({ path: file.path, problem: `cannot be written (${code})` })
  }
}

/** Records that a file and a memory are equal. @param old the memory that the file had before. */
export const settle = (
  run: Run,
  path: string,
  local: Fields,
  memory: Memory,
  old?: string,
): void => {
  const { base } = run.state
  if (old !== undefined && old !== memory.memory_id) base.delete(old)
  base.set(memory.memory_id, {
    path,
    local,
    remote: fieldsOfMemory(memory),
    info: infoOf(memory),
  })
  run.owners.set(memory.memory_id, path)
}
