import { createHash } from 'node:crypto'
import type {
  Memory,
  MemoryList,
  MemoryType,
  Remember,
  Remembered,
} from '../../../shared/schemas/memory.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { parseInstant } from '../../platform/http/validate.ts'
import { presentMemory } from './present.ts'
import {
  eraseOwner,
  findMemory,
  forgetMemory,
  insertMemories,
  listMemories,
  type NewMemory,
  type StoredMemory,
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
      if (!(await forgetMemory(database, caller.userId, memoryId, permanent))) throw notFound()
    },
  }
}

const notFound = () => new ApiError(404, 'Memory not found')

/** The question marks of the scripts that have one of their own. */
const QUESTION_MARK = /[?\u037E\u061F\uFF1F]/

const newMemory = (caller: Caller, body: Remember): NewMemory => ({
  memory_id: Bun.randomUUIDv7(),
  content_text: body.content,
  content_hash: contentHash(body.content),
  asks: QUESTION_MARK.test(body.content),
  ends_asking: QUESTION_MARK.test(body.content.trimEnd().slice(-1)),
  memory_type: body.memory_type,
  importance: body.importance,
  tags: [...new Set(body.tags)],
  thread: body.thread ?? null,
  author: body.author ?? null,
  agent_slug: body.agent_slug ?? null,
  source_kind: caller.keyId ? 'api_key' : 'session',
  source_ref: caller.keyId ?? caller.sessionId,
  metadata: body.metadata,
  occurred_at: body.occurred_at ? (parseInstant(body.occurred_at)?.toISOString() ?? null) : null,
})

/** The first 128 bits of SHA-256, in the form of a UUID, which is how PostgreSQL keeps 128 bits best. */
const contentHash = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)
