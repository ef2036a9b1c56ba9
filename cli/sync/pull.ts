import { join } from 'node:path'
import type { Memory } from '../../shared/contract/memories.ts'
import { newDocument, readDocument, relabelDocument, replaceDocument } from './document.ts'
import { type Fields, fieldsOfMemory } from './fields.ts'
import { createFile, removeFile } from './files.ts'
import { conflictName, freePath } from './names.ts'
import { inParallel } from './parallel.ts'
import type { Action } from './plan.ts'
import type { OnStored } from './push.ts'
import { connectFile } from './push.ts'
import { asPlanned, type Run, readPlanned, record, relabel, replacePlanned, settle } from './run.ts'

/** Files at the same time. */
const WRITES = 16

/** Saves the state after so many files. */
const CHECKPOINT_FILES = 1_000

type Of<K extends Action['kind']> = Extract<Action, { kind: K }>

/** Writes, deletes and connects files, after files were stored. */
export const changeFiles = async (run: Run, actions: Action[]): Promise<void> => {
  let done = 0
  const apply = async (action: Action) => {
    run.signal.throwIfAborted()
    if (action.kind === 'create') await createOne(run, action)
    if (action.kind === 'write') await writeOne(run, action)
    if (action.kind === 'remove') await removeOne(run, action)
    if (action.kind === 'link') await linkOne(run, action)
    if (action.kind === 'drop') run.state.base.delete(action.id)
    if (++done % CHECKPOINT_FILES === 0) {
      run.onProgress(
        `${done.toLocaleString('en')} of ${actions.length.toLocaleString('en')} files …`,
      )
      await run.checkpoint()
    }
  }
  await inParallel(actions, WRITES, apply)
}

/** The fields of a file that svc wrote. */
const fieldsIn = (text: string, memory: Memory): Fields => {
  const document = readDocument(text)
  return 'problem' in document ? fieldsOfMemory(memory) : document.fields
}

const createOne = async (run: Run, { id, path: before }: Of<'create'>): Promise<void> => {
  // A file that was stored in this run has the same text: the memory is its.
  if (run.owners.has(id)) return
  const memory = await run.account.read(id)
  if (!memory || memory.superseded_by) {
    run.isStale = true
    return
  }
  const text = newDocument(memory)
  const path = await createFree(run, text, memory, before ?? run.state.places.get(id))
  run.state.places.delete(id)
  settle(run, path, fieldsIn(text, memory), memory)
  record(run, { action: 'created', path, memory_id: id })
}

/** Creates a file with the first free name. */
const createFree = async (
  run: Run,
  text: string,
  memory: Memory,
  before: string | undefined,
): Promise<string> => {
  if (before !== undefined && !run.names.has(before)) {
    run.names.add(before)
    if (await createFile(join(run.root, before), text)) return before
  }
  for (;;) {
    const path = freePath(run.names, memory)
    if (await createFile(join(run.root, path), text)) return path
  }
}

const writeOne = async (run: Run, { file, id, old }: Of<'write'>): Promise<boolean> => {
  const memory = await run.account.read(id)
  if (!memory || memory.superseded_by) {
    run.isStale = true
    return false
  }
  let written = ''
  const isWritten = await replacePlanned(run, file, (text) => {
    written = replaceDocument(text, memory)
    return written
  })
  if (!isWritten) return false
  settle(run, file.path, fieldsIn(written, memory), memory, old)
  record(run, { action: 'written', path: file.path, memory_id: id })
  return true
}

const removeOne = async (run: Run, { file, id }: Of<'remove'>): Promise<void> => {
  // A proxy may have cut the list of memories.
  const memory = await run.account.fetch(id)
  if (memory && !memory.superseded_by) {
    run.isStale = true
    return
  }
  const isRemoved = await removeFile(run.root, file.path, (bytes) =>
    Boolean(asPlanned(bytes, file.fields)),
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
  base.set(id, {
    path: file.path,
    local: file.fields,
    remote: known.fields,
    info: known.info,
    stamp: file.stamp,
  })
  run.owners.set(id, file.path)
  if (file.id === id) return
  const memory = await run.account.read(id)
  if (!memory) return
  // The file is written, so that its stamp is another one.
  base.set(id, { path: file.path, local: file.fields, remote: known.fields, info: known.info })
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
    const { name, folder } = conflictName(file.path, run.today)
    do copy = run.names.free(name, folder)
    while (!(await createFile(join(run.root, copy), text)))
    settle(run, copy, document.fields, memory)
  }
  run.owners.set(id, file.path)
  await writeOne(run, { kind: 'write', file, id, old })
  // The conflict says it all.
  run.report.changes = run.report.changes.filter(
    (change) => !(change.action === 'written' && change.path === file.path),
  )
  record(run, { action: 'conflict', path: file.path, memory_id: memory.memory_id, other: copy })
}
