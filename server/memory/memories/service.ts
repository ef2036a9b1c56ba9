import { createHash } from 'node:crypto'
import type {
  Memory,
  MemoryEvent,
  MemoryList,
  MemoryType,
  Remember,
  Remembered,
  UpdateMemory,
} from '../../../shared/schemas/memory.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { parseInstant } from '../../platform/http/validate.ts'
import { presentCreation, presentEvent, presentMemory } from './present.ts'
import {
  type Actor,
  eraseMemory,
  eraseOwner,
  findMemory,
  forgetMemory,
  insertMemories,
  listHistory,
  listMemories,
  type NewMemory,
  restoreMemory,
  type StoredMemory,
  updateMemory,
} from './store.ts'

/** Another writer can be first with the same content only so often. */
const MAX_ATTEMPTS = 5

export type MemoryService = ReturnType<typeof createMemoryService>

export const createMemoryService = (database: Database) => {
  /** Stores all or none, each content once a thread; answers in the order given, after the commit. */
  const rememberAll = async (caller: Caller, bodies: Remember[]): Promise<Remembered[]> => {
    const owner = { ownerId: caller.userId, userId: caller.userId, orgId: null }
    const rows = bodies.map((body) => newMemory(caller, body))
    const answers = new Map<number, StoredMemory>()
    let open = rows.map((_, index) => index)
    for (let attempt = 0; open.length > 0; attempt++) {
      if (attempt === MAX_ATTEMPTS) throw new Error('the same memory is being written elsewhere')
      const stored = await insertMemories(
        database,
        owner,
        open.map((index) => rows[index] as NewMemory),
      )
      for (const [place, memory] of stored) answers.set(open[place] as number, memory)
      open = open.filter((index) => !answers.has(index))
    }
    return rows.map((_, index) => {
      const { memory, deduplicated } = answers.get(index) as StoredMemory
      return { ...presentMemory(memory), deduplicated }
    })
  }

  return {
    rememberAll,

    async remember(caller: Caller, body: Remember): Promise<Remembered> {
      const [memory] = await rememberAll(caller, [body])
      return memory as Remembered
    },

    /** @throws ApiError 404 for a memory that is not there or not the caller's. */
    async get(caller: Caller, memoryId: string): Promise<Memory> {
      const memory = await findMemory(database.db, caller.userId, memoryId)
      if (!memory || memory.deletedAt) throw notFound()
      return presentMemory(memory)
    },

    /** @throws ApiError 404 as `get`, 409 when the thread has another memory with that content. */
    async update(caller: Caller, memoryId: string, body: UpdateMemory): Promise<Memory> {
      const change = changeOf(body)
      const memory = await updateMemory(
        database,
        caller.userId,
        memoryId,
        actorOf(caller),
        change,
      ).catch(taken)
      if (!memory) throw notFound()
      return presentMemory(memory)
    },

    /** @throws ApiError 404 for a memory that never was or was erased. */
    async history(caller: Caller, memoryId: string): Promise<MemoryEvent[]> {
      const memory = await findMemory(database.db, caller.userId, memoryId)
      if (!memory) throw notFound()
      const events = await listHistory(database.db, caller.userId, memoryId)
      return [presentCreation(memory), ...events.map(presentEvent)]
    },

    /**
     * @throws ApiError 404 for a memory that is not forgotten, or was longer ago than 30 days; 409
     * when its content was remembered anew.
     */
    async restore(caller: Caller, memoryId: string): Promise<Memory> {
      const memory = await restoreMemory(database, caller.userId, memoryId, actorOf(caller)).catch(
        taken,
      )
      if (!memory) throw notFound()
      return presentMemory(memory)
    },

    async list(
      caller: Caller,
      query: {
        limit: number
        cursor?: string
        thread?: string
        memory_type?: MemoryType
      },
    ): Promise<MemoryList> {
      const rows = await listMemories(database.db, caller.userId, {
        limit: query.limit + 1,
        before: query.cursor,
        thread: query.thread,
        memoryType: query.memory_type,
      })
      const page = rows.slice(0, query.limit)
      return {
        memories: page.map(presentMemory),
        next_cursor: rows.length > query.limit ? (page.at(-1)?.memoryId ?? null) : null,
      }
    },

    /** Erases all that an owner has, for good, within the transaction that deletes them. */
    erase: (tx: Db, ownerId: string): Promise<void> => eraseOwner(tx, ownerId),

    /** @throws ApiError 404 for a memory that is not there or not the caller's. */
    async forget(caller: Caller, memoryId: string, permanent: boolean): Promise<void> {
      const found = permanent
        ? await eraseMemory(database, caller.userId, memoryId)
        : await forgetMemory(database, caller.userId, memoryId, actorOf(caller))
      if (!found) throw notFound()
    },
  }
}

const UNIQUE_VIOLATION = '23505'

const taken = (error: { code?: string }): never => {
  if (error.code === UNIQUE_VIOLATION)
    throw new ApiError(409, 'The same content is remembered already')
  throw error
}

const notFound = () => new ApiError(404, 'Memory not found')

/** Only what was given: the rest stays as it is. */
const changeOf = ({ content, tags, occurred_at, ...rest }: UpdateMemory): Partial<NewMemory> => ({
  ...rest,
  ...(content !== undefined && contentColumns(content)),
  ...(tags !== undefined && { tags: [...new Set(tags)] }),
  ...(occurred_at !== undefined && { occurred_at: instantOf(occurred_at) }),
})

const actorOf = ({ keyId, sessionId }: Caller): Actor =>
  keyId ? { kind: 'api_key', ref: keyId } : { kind: 'session', ref: sessionId }

const instantOf = (text: string | null | undefined): string | null =>
  text ? (parseInstant(text)?.toISOString() ?? null) : null

const contentColumns = (content: string) => ({
  content_text: content,
  content_hash: contentHash(content),
  asks: QUESTION_MARK.test(content),
  ends_asking: QUESTION_MARK.test(content.trimEnd().slice(-1)),
})

/** The question marks of the scripts that have one of their own. */
const QUESTION_MARK = /[?\u037E\u061F\uFF1F]/

const newMemory = (caller: Caller, body: Remember): NewMemory => ({
  memory_id: Bun.randomUUIDv7(),
  ...contentColumns(body.content),
  memory_type: body.memory_type,
  importance: body.importance,
  tags: [...new Set(body.tags)],
  thread: body.thread ?? null,
  author: body.author ?? null,
  agent_slug: body.agent_slug ?? null,
  source_kind: actorOf(caller).kind,
  source_ref: actorOf(caller).ref,
  metadata: body.metadata,
  occurred_at: instantOf(body.occurred_at),
})

/** The first 128 bits of SHA-256, in the form of a UUID, which is how PostgreSQL keeps 128 bits best. */
const contentHash = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)
