import type { Memory } from '../../shared/contract/memories.ts'
import { newDocument, relabelDocument, replaceDocument } from './document.ts'
import { fieldsOfMemory } from './fields.ts'
import { createFile, type FileBytes, removeFile } from './files.ts'
import { BlockedPath } from './folder.ts'
import { restoredText } from './kept.ts'
import { conflictPath, freePath, pathKey, threadFolder } from './names.ts'
import { inParallel } from './parallel.ts'
import type { SyncAction } from './plan.ts'
import type { OnStored } from './push.ts'
import { connectFile } from './push.ts'
import {
  asPlanned,
  frameFor,
  passOver,
  type Run,
  readPlanned,
  record,
  relabel,
  replacePlanned,
  settle,
  writtenOf,
} from './run.ts'

/** Files at the same time. */
const WRITES = 16

const NEW_MODE = 0o666

/** Saves the state after so many files. */
const CHECKPOINT_FILES = 1_000

type Of<K extends SyncAction['kind']> = Extract<SyncAction, { kind: K }>

/** Writes, deletes and connects files, after files were stored. */
export const changeFiles = async (run: Run, actions: SyncAction[]): Promise<void> => {
  let done = 0
  const apply = async (action: SyncAction) => {
    run.signal.throwIfAborted()
    await changeFile(run, action).catch((error: unknown) => passOver(run, error))
    if (++done % CHECKPOINT_FILES === 0) {
      run.onProgress(
        `${done.toLocaleString('en')} of ${actions.length.toLocaleString('en')} files …`,
      )
      await run.checkpoint()
    }
  }
  await inParallel(actions, WRITES, apply)
}

const changeFile = async (run: Run, action: SyncAction): Promise<void> => {
  if (action.kind === 'create') await createOne(run, action)
  if (action.kind === 'write') await writeOne(run, action)
  if (action.kind === 'remove') await removeOne(run, action)
  if (action.kind === 'link') await linkOne(run, action)
  if (action.kind === 'drop') run.state.base.delete(action.id)
}

/** Records a file that svc wrote. */
const settleWritten = (run: Run, path: string, file: FileBytes, memory: Memory, old?: string) => {
  const written = writtenOf(file)
  settle(run, memory, {
    path,
    old,
    local: written?.fields ?? fieldsOfMemory(memory),
    frame: written && frameFor(written, memory),
  })
}

const createOne = async (run: Run, { id, path: before }: Of<'create'>): Promise<void> => {
  // A file that was stored in this run has the same text: the memory is its.
  if (run.owners.has(id)) return
  const memory = await run.account.read(id)
  if (!memory || memory.superseded_by) {
    run.isStale = true
    return
  }
  const kept = await run.kept.find(id)
  const file = {
    bytes: Buffer.from(kept ? restoredText(kept, memory) : newDocument(memory)),
    mode: kept?.mode ?? NEW_MODE,
  }
  const places = [before, run.state.places.get(id), kept?.path]
  const path = await createFree(run, file, memory, places)
  run.state.places.delete(id)
  settleWritten(run, path, file, memory)
  const wanted = threadFolder(memory.thread)
  const isElsewhere =
    !places.includes(path) && wanted !== '' && !pathKey(path).startsWith(pathKey(`${wanted}/`))
  record(run, {
    action: 'created',
    path,
    memory_id: id,
    ...(isElsewhere && { other: wanted }),
  })
}

/** Attempts of a folder that becomes a file or a link each time. */
const MAX_FOLDERS = 100

/** Creates a file where it was before, or with the first free name. */
const createFree = async (
  run: Run,
  { bytes, mode }: FileBytes,
  memory: Memory,
  places: (string | undefined)[],
): Promise<string> => {
  for (const path of places)
    if (path !== undefined && isNote(path) && (await createAt(run, path, bytes, mode))) return path
  for (let blocked = 0; ; ) {
    const path = freePath(run.names, memory)
    const isCreated = await createAt(run, path, bytes, mode)
    if (isCreated) return path
    if (isCreated === undefined && ++blocked > MAX_FOLDERS)
      throw new BlockedPath(path, 'is not a path in the folder')
  }
}

/** Whether a file of this path is synced. The state may come from another folder. */
const isNote = (path: string): boolean =>
  /\.md$/i.test(path) && !path.split('/').some((name) => name.startsWith('.'))

/** @returns false if the path is taken, and undefined if a file or a link is in the place of its folder. */
const createAt = async (
  run: Run,
  path: string,
  bytes: Buffer,
  mode: number,
): Promise<boolean | undefined> => {
  try {
    const isCreated = await createFile(run.root, path, bytes, mode)
    run.names.add(path)
    return isCreated
  } catch (error) {
    passOver(run, error)
    run.names.block((error as BlockedPath).path)
    return undefined
  }
}

const writeOne = async (run: Run, { file, id, old }: Of<'write'>): Promise<boolean> => {
  const memory = await run.account.read(id)
  if (!memory || memory.superseded_by) {
    run.isStale = true
    return false
  }
  const toText = (text: string) => replaceDocument(text, memory)
  const keep = run.kept.pathFor(old, file.path)
  const written = await replacePlanned(run, file, toText, keep)
  if (!written) return false
  const { path } = file
  settle(run, memory, { path, local: written.fields, frame: frameFor(written, memory), old })
  record(run, { action: 'written', path, memory_id: id })
  return true
}

const removeOne = async (run: Run, { file, id }: Of<'remove'>): Promise<void> => {
  // A proxy may have cut the list of memories.
  const memory = await run.account.fetch(id)
  if (memory && !memory.superseded_by) {
    run.isStale = true
    return
  }
  const isRemoved = await removeFile(
    run.root,
    file.path,
    (bytes) => Boolean(asPlanned(bytes, file.fields)),
    run.kept.pathFor(id, file.path),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return true
    throw error
  })
  if (!isRemoved) {
    run.isStale = true
    return
  }
  run.state.base.delete(id)
  record(run, { action: 'removed', path: file.path, memory_id: id })
}

const linkOne = async (run: Run, { file, id, old }: Of<'link'>): Promise<void> => {
  const { base } = run.state
  const known = run.account.memories.get(id)
  if (!known || !file.fields) return
  if (old !== id) base.delete(old)
  const { path, fields: local, frame } = file
  const entry = { path, local, remote: known.fields, info: known.info, frame }
  base.set(id, { ...entry, stamp: file.stamp })
  run.owners.set(id, path)
  if (file.id === id) return
  const memory = await run.account.read(id)
  if (!memory) return
  // The file is written, so that its stamp is another one.
  base.set(id, entry)
  await relabel(run, file, memory)
}

/**
 * Stores the file as a memory of its own, keeps it under another name, and writes the other version into it. In this
 * order each version is in a file at every moment. A run that was cut off is continued by the next one.
 */
export const separate: OnStored = async (run, action, memory) => {
  if (action.kind !== 'conflict') return connectFile(run, action, memory)
  const { file, id, old } = action
  if (memory.memory_id === id) return connectFile(run, action, memory)
  const document = await readPlanned(run, file)
  if (!document) return
  let copy = run.owners.get(memory.memory_id)
  if (copy === undefined) {
    const text = relabelDocument(document.text, memory)
    do copy = conflictPath(run.names, file.path, run.today)
    while (!(await createFile(run.root, copy, text, document.mode)))
    settleWritten(run, copy, { bytes: Buffer.from(text), mode: document.mode }, memory)
  }
  run.owners.set(id, file.path)
  await writeOne(run, { kind: 'write', file, id, old })
  // The conflict says it all.
  run.report.changes = run.report.changes.filter(
    (change) => !(change.action === 'written' && change.path === file.path),
  )
  record(run, { action: 'conflict', path: file.path, memory_id: memory.memory_id, other: copy })
}
