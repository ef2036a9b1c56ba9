import pLimit from 'p-limit'
import { ApiFailure } from '../../shared/client.ts'
import {
  type Memory,
  type Remember,
  type Remembered,
  remember,
  rememberBatch,
  updateMemory,
} from '../../shared/contract/memories.ts'
import { definedFields } from '../defined.ts'
import { agrees, type Fields, fieldsOfMemory, infoOf } from './fields.ts'
import { inParallel } from './parallel.ts'
import type { FoundFile, SyncAction } from './plan.ts'
import { frameFor, passOver, type Run, readPlanned, record, relabel, settle } from './run.ts'

/** An action whose file becomes a memory. */
export type Stored = Extract<SyncAction, { kind: 'remember' | 'keep' | 'supersede' | 'conflict' }>

/** Called with the memory that a file is stored as. */
export type OnStored = (run: Run, action: Stored, memory: Remembered) => Promise<void>

type Body = Partial<Remember> & Pick<Remember, 'content'>

interface Pending {
  action: Stored
  body: Body
}

/** A batch: a request may have 1 MiB, and its response should come in seconds. */
const MAX_BATCH = 200
const MAX_BATCH_CHARACTERS = 150_000

/** Stores files as memories, in batches. A repeated run stores none twice: the server has each content once in a thread. */
export const storeFiles = async (
  run: Run,
  actions: Stored[],
  onStored: OnStored,
): Promise<void> => {
  let batch: Pending[] = []
  let size = 0
  let done = 0
  const flush = async () => {
    if (batch.length) await storeBatch(run, batch, onStored)
    done += batch.length
    batch = []
    size = 0
    run.onProgress(
      `${done.toLocaleString('en')} of ${actions.length.toLocaleString('en')} files stored …`,
    )
    await run.checkpoint()
  }
  for (let start = 0; start < actions.length; start += MAX_BATCH) {
    const some = actions.slice(start, start + MAX_BATCH)
    const bodies = await Promise.all(some.map((action) => reads(() => bodyOf(run, action))))
    for (const [index, action] of some.entries()) {
      const body = bodies[index]
      if (!body) continue
      const length = JSON.stringify(body).length
      if (size + length > MAX_BATCH_CHARACTERS) await flush()
      batch.push({ action, body })
      size += length
    }
    await flush()
  }
}

/** Files and memories that are read at the same time. */
const reads = pLimit(8)

const bodyOf = async (run: Run, action: Stored): Promise<Body | undefined> => {
  const document = await readPlanned(run, action.file)
  if (!document) return undefined
  const { tags, type, thread, happened } = document.fields
  const own = { content: document.content, tags }
  const set = definedFields({ memory_type: type, thread, occurred_at: happened })
  if (action.kind !== 'supersede') return { ...own, ...set }
  const old = await run.account.read(action.id)
  if (!old || old.superseded_by) {
    run.isStale = true
    return undefined
  }
  const { memory_type, importance, author, agent_slug, project, metadata, position, occurred_at } =
    old
  const isInPlace = thread === undefined || thread === old.thread
  return {
    memory_type,
    importance,
    author,
    agent_slug,
    project,
    metadata,
    occurred_at,
    thread: old.thread,
    ...(isInPlace && { position }),
    ...own,
    ...set,
    supersedes: action.id,
  }
}

const storeBatch = async (run: Run, batch: Pending[], onStored: OnStored): Promise<void> => {
  const memories = await run.client
    .call(rememberBatch, { body: { memories: batch.map(({ body }) => body) } })
    .then((stored) => stored.memories)
    .catch((error: unknown) => {
      // One of them was refused. Which one is found one by one.
      if (isRefusal(error)) return undefined
      throw error
    })
  for (const [index, { action, body }] of batch.entries()) {
    const memory = memories ? memories[index] : await storeOne(run, action, body)
    if (!memory) continue
    noteStored(run, memory, body.supersedes ?? undefined)
    // The text is that of a memory which another file supersedes in this run: it is stored again by the next one.
    if (memory.deduplicated && run.outdated.has(memory.memory_id)) postpone(run, action)
    else await onStored(run, action, memory).catch((error: unknown) => passOver(run, error))
  }
}

const postpone = (run: Run, action: Stored): void => {
  run.isStale = true
  if (action.kind === 'supersede') run.state.base.delete(action.id)
}

const noteStored = (run: Run, memory: Memory, superseded: string | undefined): void => {
  const { memories } = run.account
  memories.set(memory.memory_id, { fields: fieldsOfMemory(memory), info: infoOf(memory) })
  if (superseded !== undefined) memories.delete(superseded)
}

/** An answer about the content of the request. */
const isRefusal = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && [404, 409, 413, 422].includes(error.status)

const storeOne = async (
  run: Run,
  { file }: Stored,
  body: Body,
): Promise<Remembered | undefined> => {
  try {
    return await run.client.call(remember, { body })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Forgotten or superseded meanwhile: the next run compares again.
    if (error.status === 409 && (await isSameMemory(run, file, body))) return undefined
    if (error.status === 404 || error.status === 409) run.isStale = true
    else run.report.warnings.push({ path: file.path, problem: `was refused: ${error.message}` })
    return undefined
  }
}

/** A memory cannot supersede itself: where the server redacts the part that was edited, both texts are the same there. */
const isSameMemory = async (run: Run, file: FoundFile, { supersedes }: Body): Promise<boolean> => {
  if (!supersedes) return false
  const memory = await run.account.fetch(supersedes)
  if (!memory || memory.superseded_by) return false
  settle(run, memory, { ...file, local: file.fields as Fields })
  return true
}

/** Connects a file with the memory that it was stored as. */
export const connectFile = async (run: Run, action: Stored, memory: Remembered): Promise<void> => {
  const { file } = action
  const id = memory.memory_id
  const old = 'old' in action ? action.old : 'id' in action ? action.id : undefined
  const owner = run.owners.get(id)
  if (owner !== undefined && owner !== file.path) {
    if (old !== undefined) run.state.base.delete(old)
    record(run, { action: 'duplicate', path: file.path, memory_id: id, other: owner })
    return
  }
  settle(run, memory, { ...file, local: stateOf(run, file, memory), old })
  if (file.id !== id || action.kind === 'supersede') await relabel(run, file, memory)
  const kind = action.kind === 'supersede' ? 'superseded' : 'remembered'
  if (!memory.deduplicated || kind === 'superseded')
    record(run, { action: kind, path: file.path, memory_id: id })
}

/**
 * The file as the state has it. The memory may have existed before with other properties: then those of the file are a
 * change, which the next run sends.
 */
const stateOf = (run: Run, file: FoundFile, memory: Memory): Fields => {
  const fields = file.fields as Fields
  const stored = fieldsOfMemory(memory)
  if (agrees({ ...fields, content: stored.content }, stored)) return fields
  run.isStale = true
  return { ...stored, content: fields.content }
}

/** Requests at the same time. */
export const REQUESTS = 8

/** Sends properties that were edited. */
export const updateAll = (
  run: Run,
  actions: Extract<SyncAction, { kind: 'update' }>[],
): Promise<void> => inParallel(actions, REQUESTS, (action) => updateProperties(run, action))

const updateProperties = async (
  run: Run,
  { file, id }: Extract<SyncAction, { kind: 'update' }>,
): Promise<void> => {
  const document = await readPlanned(run, file)
  const known = run.account.memories.get(id)?.fields
  if (!document || !known) return
  const { tags, type, thread, happened } = document.fields
  const changed = <T>(value: T | undefined, old: T | undefined) =>
    value === old ? undefined : value
  const body = {
    tags,
    ...definedFields({
      memory_type: changed(type, known.type),
      thread: changed(thread, known.thread),
      occurred_at: changed(happened, known.happened),
    }),
  }
  try {
    const memory = await run.client.call(updateMemory, { params: { memory_id: id }, body })
    noteStored(run, memory, undefined)
    const { fields: local } = document
    settle(run, memory, { path: file.path, local, frame: frameFor(document, memory) })
    if (file.id !== id) await relabel(run, file, memory)
    record(run, { action: 'updated', path: file.path, memory_id: id })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Superseded or forgotten meanwhile: the next run compares again. Otherwise its thread has the same text.
    const memory = error.status === 404 ? undefined : await run.account.fetch(id)
    if (!memory || memory.superseded_by) run.isStale = true
    else run.report.warnings.push({ path: file.path, problem: `was refused: ${error.message}` })
  }
}
