import { setTimeout as pause } from 'node:timers/promises'
import { ApiFailure, type Client, Unreachable } from '../../shared/client.ts'
import { getMemory, type Memory } from '../../shared/contract/memories.ts'
import { memoryChanges } from '../../shared/contract/memory-lists.ts'
import { exportMemories } from '../../shared/contract/transfer.ts'
import { CliError } from '../errors.ts'
import { type Fields, fieldsOfMemory, infoOf, isSame } from './fields.ts'
import { openPrivate, removeEntry } from './files.ts'
import type { AccountMemories, AccountMemory, Base } from './plan.ts'

/** The memories of the account, and the texts of those that the folder does not have yet. */
export interface RemoteAccount extends AccountMemories, AsyncDisposable {
  /** It follows what a run stores and forgets. */
  memories: Map<string, AccountMemory>
  /** Where the next changes continue. */
  cursor: string
  /** A memory as it is now; undefined: it was deleted. */
  fetch(id: string): Promise<Memory | undefined>
  /** A memory as it was read, or as it is now. @returns undefined if it was deleted. */
  read(id: string): Promise<Memory | undefined>
}

/** The longest wait that a server may ask for, in seconds. */
const MAX_WAIT_SECONDS = 300
const MAX_WAITS = 20

/**
 * A client that waits where the server limits requests (429), or is busy (503), and says for how long.
 * @param signal ends each request.
 */
export const patient = (
  client: Client,
  onWait: (seconds: number) => void,
  signal: AbortSignal,
): Client => ({
  async call(row, ...args) {
    for (let waits = 0; ; waits++)
      try {
        const [input] = args
        return await client.call(row, ...([{ signal, ...input }] as unknown as typeof args))
      } catch (error) {
        const seconds = waitOf(error)
        if (seconds === undefined || waits === MAX_WAITS) throw error
        onWait(seconds)
        await pause(seconds * 1000, undefined, { signal })
      }
  },
})

const waitOf = (error: unknown): number | undefined =>
  error instanceof ApiFailure && [429, 503].includes(error.status) && error.retryAfter !== undefined
    ? Math.min(Math.max(error.retryAfter, 0.1), MAX_WAIT_SECONDS)
    : undefined

/** The parts of an account, while they are read. */
interface Reading extends AccountMemories {
  memories: Map<string, AccountMemory>
  superseded: Map<string, { by: string; fields: Fields }>
}

interface ReadOptions {
  client: Client
  base: ReadonlyMap<string, Base>
  /** The folder of a file that keeps texts for `read` meanwhile. */
  temporary: string
  /** Where the last run ended. */
  cursor: string | undefined
  signal: AbortSignal
  onProgress: (count: number) => void
  stallMs?: number
}

/** The longest pause in the list of memories. A frozen server, or a lost connection, sends nothing and ends nothing. */
const STALL_MS = 120_000

interface Problem {
  loc: [string, ...unknown[]]
}

/** An older server takes the path for that of a memory, whose id is not valid. */
const refuseOlder = (cause: unknown): never => {
  const isOlder =
    cause instanceof ApiFailure &&
    cause.status === 422 &&
    (cause.detail as Problem[]).some(({ loc }) => loc[0] === 'path')
  if (!isOlder) throw cause
  throw new CliError(
    'The server is of an older version, which cannot sync a folder.',
    'Install the version of this command on the server. Nothing was changed.',
    { cause },
  )
}

/** Reads what changed in the account since the cursor, or all of it. */
export const readAccount = async (options: ReadOptions): Promise<RemoteAccount> => {
  const { client, base, cursor, signal } = options
  const query = cursor === undefined ? {} : { cursor }
  const changes = await client.call(memoryChanges, { query, signal }).catch(refuseOlder)
  const fetch = (id: string) => fetchMemory(client, id, signal)
  const texts = await openTexts(options.temporary)
  try {
    const reading: Reading = { memories: new Map(), superseded: new Map() }
    if (changes.reset) await readAll(options, reading, texts)
    else {
      for (const [id, { remote, info }] of base) reading.memories.set(id, { fields: remote, info })
      for (const id of changes.deleted) reading.memories.delete(id)
      for (const memory of changes.memories) await add(memory, reading, texts, base)
    }
    await texts.flush()
    return {
      ...reading,
      cursor: changes.next_cursor,
      fetch,
      read: async (id) => (await texts.read(id)) ?? (await fetch(id)),
      [Symbol.asyncDispose]: () => texts.close(),
    }
  } catch (error) {
    await texts.close()
    throw error
  }
}

const readAll = async (
  { client, base, signal, onProgress, stallMs = STALL_MS }: ReadOptions,
  reading: Reading,
  texts: Texts,
): Promise<void> => {
  const stall = new AbortController()
  const ends = AbortSignal.any([signal, stall.signal])
  const memories = await client.call(exportMemories, { signal: ends })
  const timer = setTimeout(
    () => stall.abort(new Unreachable('The server stopped sending the memories')),
    stallMs,
  )
  try {
    let count = 0
    for await (const memory of memories) {
      timer.refresh()
      await add(memory, reading, texts, base)
      if (++count % 500 === 0) onProgress(count)
    }
  } finally {
    clearTimeout(timer)
  }
}

const add = async (
  memory: Memory,
  { memories, superseded }: Reading,
  texts: Texts,
  base: ReadonlyMap<string, Base>,
): Promise<void> => {
  const { memory_id: id, superseded_by: by } = memory
  const fields = fieldsOfMemory(memory)
  if (by !== null) {
    memories.delete(id)
    superseded.set(id, { by, fields })
    return
  }
  const info = infoOf(memory)
  memories.set(id, { fields, info })
  const known = base.get(id)
  if (!known || known.info !== info || !isSame(known.remote, fields)) await texts.add(memory)
}

const fetchMemory = (
  client: Client,
  memory_id: string,
  signal: AbortSignal,
): Promise<Memory | undefined> =>
  client.call(getMemory, { params: { memory_id }, signal }).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  })

type Texts = Awaited<ReturnType<typeof openTexts>>

/** Bytes that are written at once. */
const CHUNK_BYTES = 2 ** 18

const TEXTS_FILE = 'received.ndjson'

/** Keeps memories in a file until their own ones are written, so that an account of any size needs little memory. */
const openTexts = async (folder: string) => {
  const places = new Map<string, { start: number; length: number }>()
  const file = await openPrivate(folder, TEXTS_FILE)
  let written = 0
  let size = 0
  let chunk: Buffer[] = []
  const flush = async () => {
    const bytes = Buffer.concat(chunk)
    chunk = []
    await file.write(bytes, 0, bytes.length, written)
    written += bytes.length
  }
  return {
    async add(memory: Memory): Promise<void> {
      const bytes = Buffer.from(JSON.stringify(memory))
      places.set(memory.memory_id, { start: size, length: bytes.length })
      chunk.push(bytes)
      size += bytes.length
      if (size - written >= CHUNK_BYTES) await flush()
    },
    /** Call it once, after the last `add`. */
    flush,
    async read(id: string): Promise<Memory | undefined> {
      const place = places.get(id)
      if (!place) return undefined
      const { buffer } = await file.read(Buffer.alloc(place.length), 0, place.length, place.start)
      return JSON.parse(buffer.toString())
    },
    async close(): Promise<void> {
      await file.close()
      await removeEntry(folder, TEXTS_FILE)
    },
  }
}
