import { setImmediate as othersTurn } from 'node:timers/promises'
import type {
  Memory,
  MemoryEvent,
  MemoryList,
  MemoryType,
  Remember,
  Remembered,
  UpdateMemory,
} from '../../../shared/schemas/memory.ts'
import type { ImportedMemory } from '../../../shared/schemas/transfer.ts'
import type { Database, Db, Query } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Engines } from '../engines/service.ts'
import {
  type Actor,
  eraseMemory,
  forgetMemory,
  lockForSupersession,
  restoreMemory,
  supersedeMemory,
  updateMemory,
} from './change.ts'
import { contentColumns, instantOf, metadataProblem } from './content.ts'
import { insertMemories, type NewMemory, type StoredMemory } from './insert.ts'
import { checkWriterIsThere } from './owner.ts'
import { presentCreation, presentEvent, presentMemory } from './present.ts'
import { listQuestions, type Question } from './questions.ts'
import { createStatistics } from './statistics.ts'
import { eraseOwner, findMemory, listHistory, listMemories } from './store.ts'
import { listTexts } from './texts.ts'

/** A memory that was written elsewhere, with the id it is to have. */
export type Adopted = ImportedMemory & { memory_id: string }

/** Another writer can be first with the same content only so often. */
const MAX_ATTEMPTS = 5

/** So long it looks at what is to be written before others have their turn. */
const STRETCH_MS = 8

/** Who reads or writes: what memories need to know of a caller. */
type Writer = Pick<Caller, 'userId' | 'ownerId' | 'keyId' | 'sessionId'>

export type { Question }

export type MemoryService = ReturnType<typeof createMemoryService>

export const createMemoryService = (
  database: Database,
  engines: Pick<Engines, 'names' | 'importNames' | 'nudge'>,
) => {
  const statistics = createStatistics(database)

  /** Stores each content once a thread; runs again for what another wrote at this moment. */
  const storeAll = async (
    query: Query,
    caller: Writer,
    rows: NewMemory[],
    queuedFor = engines.names,
  ): Promise<Map<number, StoredMemory>> => {
    const { ownerId, userId } = caller
    const owner = { ownerId, userId, orgId: ownerId === userId ? null : ownerId }
    const answers = new Map<number, StoredMemory>()
    let open = rows.map((_, index) => index)
    for (let attempt = 0; open.length > 0; attempt++) {
      if (attempt === MAX_ATTEMPTS) {
        await checkWriterIsThere(query, owner)
        throw new Error('the same memory is being written elsewhere')
      }
      const stored = await insertMemories(
        query,
        owner,
        open.map((index) => rows[index] as NewMemory),
        queuedFor,
      )
      for (const [place, memory] of stored) answers.set(open[place] as number, memory)
      open = open.filter((index) => !answers.has(index))
    }
    return answers
  }

  /** Stores memories some of which take the place of others, in one transaction. */
  const storeSuperseding = (caller: Writer, bodies: Remember[], rows: NewMemory[]) =>
    database.transaction(async (query) => {
      // Ids are compared as the database writes them.
      const superseded = bodies.map(({ supersedes }) => supersedes?.toLowerCase())
      const ids = superseded.flatMap((id) => id ?? [])
      if (new Set(ids).size < ids.length) throw supersededTwice()
      const before = await lockForSupersession(query, caller.ownerId, ids)
      for (const id of ids) {
        if (!before.has(id)) throw new ApiError(404, 'The memory to supersede is not there')
        if (before.get(id)?.isSuperseded) throw supersededTwice()
      }
      const answers = await storeAll(query, caller, rows)
      for (const [index, supersedes] of superseded.entries()) {
        const stored = answers.get(index)
        if (!supersedes || !stored) continue
        const { memoryId } = stored.memory
        if (memoryId === supersedes) throw new ApiError(409, 'A memory cannot supersede itself')
        stored.memory = await supersedeMemory(
          query,
          caller.ownerId,
          actorOf(caller),
          supersedes,
          memoryId,
        )
      }
      return answers
    })

  /**
   * Stores all or none; answers in the order given, after the commit. `source` is what wrote them,
   * if not the caller as such.
   */
  const rememberAll = async (
    caller: Writer,
    bodies: Remember[],
    source: Actor = actorOf(caller),
  ): Promise<Remembered[]> => {
    checkMetadata(bodies, (index) => ['memories', index])
    const rows = await inTurns(bodies, (body) => newMemory(source, body))
    const answers = bodies.some(({ supersedes }) => supersedes)
      ? await storeSuperseding(caller, bodies, rows)
      : await storeAll(database.query, caller, rows)
    statistics.note(rows.length)
    engines.nudge(caller.ownerId)
    return rows.map((_, index) => {
      const { memory, deduplicated } = answers.get(index) as StoredMemory
      return { ...presentMemory(memory), deduplicated }
    })
  }

  return {
    rememberAll,

    async remember(caller: Writer, body: Remember): Promise<Remembered> {
      checkMetadata([body])
      const [memory] = await rememberAll(caller, [body])
      return memory as Remembered
    },

    /** Stores a memory within a transaction of the caller's. `source` is what wrote it. */
    async rememberWithin(tx: Db, writer: Writer, body: Remember, source: Actor): Promise<void> {
      await storeAll(database.queryIn(tx), writer, [await newMemory(source, body)])
      statistics.note(1)
      engines.nudge(writer.ownerId)
    },

    /**
     * Stores memories that were written elsewhere, with what they had there. Ids and relations are the
     * caller's to settle.
     * @returns what each is stored as: another memory, where that has the same content.
     */
    async adopt(
      caller: Writer,
      adopted: Adopted[],
    ): Promise<{ memoryId: string; deduplicated: boolean }[]> {
      if (adopted.length === 0) return []
      const rows = await inTurns(adopted, adoptedMemory)
      const answers = await storeAll(database.query, caller, rows, engines.importNames)
      statistics.note(rows.length)
      engines.nudge(caller.ownerId)
      return rows.map((_, index) => {
        const { memory, deduplicated } = answers.get(index) as StoredMemory
        return { memoryId: memory.memoryId, deduplicated }
      })
    },

    /** @throws ApiError 404 for a memory that is not there or not the caller's. */
    async get(caller: Writer, memoryId: string): Promise<Memory> {
      const memory = await findMemory(database.db, caller.ownerId, memoryId)
      if (!memory || memory.deletedAt) throw notFound()
      return presentMemory(memory)
    },

    /**
     * @throws ApiError 404 as `get`, 409 when the thread has another memory with that
     * content, or the memory was superseded.
     */
    async update(caller: Writer, memoryId: string, body: UpdateMemory): Promise<Memory> {
      checkMetadata([body])
      const change = await changeOf(body)
      const memory = await updateMemory(
        database,
        caller.ownerId,
        memoryId,
        actorOf(caller),
        change,
        engines.names,
      ).catch(taken)
      if (memory) {
        engines.nudge(caller.ownerId)
        return presentMemory(memory)
      }
      const found = await findMemory(database.db, caller.ownerId, memoryId)
      throw found?.supersededBy && !found.deletedAt
        ? new ApiError(409, 'Another memory has taken the place of this one')
        : notFound()
    },

    /** @throws ApiError 404 for a memory that never was or was erased. */
    async history(caller: Writer, memoryId: string): Promise<MemoryEvent[]> {
      const memory = await findMemory(database.db, caller.ownerId, memoryId)
      if (!memory) throw notFound()
      const events = await listHistory(database.db, caller.ownerId, memoryId)
      return [presentCreation(memory), ...events.map(presentEvent)]
    },

    /**
     * @throws ApiError 404 for a memory that is not forgotten, or was longer ago than 30 days; 409
     * when its content was remembered anew.
     */
    async restore(caller: Writer, memoryId: string): Promise<Memory> {
      const memory = await restoreMemory(
        database,
        caller.ownerId,
        memoryId,
        actorOf(caller),
        engines.names,
      ).catch(taken)
      if (!memory) throw notFound()
      engines.nudge(caller.ownerId)
      return presentMemory(memory)
    },

    async list(
      caller: Writer,
      query: {
        limit: number
        cursor?: string
        thread?: string
        memory_type?: MemoryType
      },
    ): Promise<MemoryList> {
      const rows = await listMemories(database.db, caller.ownerId, {
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

    /** The latest questions that these authors noted down for themselves, and nothing answers yet. */
    questions: (ownerId: string, authors: string[], limit: number): Promise<Question[]> =>
      listQuestions(database.query, ownerId, authors, limit),

    /** What memories say, by their ids; of those that are gone, nothing. */
    texts: (caller: Writer, memoryIds: string[]): Promise<Map<string, string>> =>
      listTexts(database.db, caller.ownerId, memoryIds),

    /** Erases all that an owner has, for good, within the transaction that deletes them. */
    erase: (tx: Db, ownerId: string): Promise<void> => eraseOwner(tx, ownerId),

    /** @throws ApiError 404 for a memory that is not there or not the caller's. */
    async forget(caller: Writer, memoryId: string, permanent: boolean): Promise<void> {
      const found = permanent
        ? await eraseMemory(database, caller.ownerId, memoryId)
        : await forgetMemory(database, caller.ownerId, memoryId, actorOf(caller))
      if (!found) throw notFound()
    },
  }
}

/** Makes something of each item, and lets others have their turn where there are many. */
const inTurns = async <T, R>(items: T[], make: (item: T) => Promise<R>): Promise<R[]> => {
  const made: R[] = []
  let since = performance.now()
  for (const item of items) {
    made.push(await make(item))
    if (performance.now() - since < STRETCH_MS) continue
    await othersTurn()
    since = performance.now()
  }
  return made
}

/** @throws ApiError 422 for each that has too much; `at` tells where in the body it stands. */
const checkMetadata = (
  bodies: { metadata?: Record<string, unknown> }[],
  at: (index: number) => (string | number)[] = () => [],
): void => {
  const errors = bodies.flatMap(({ metadata }, index) => {
    const problem = metadataProblem(metadata)
    return problem ? [{ loc: ['body', ...at(index), 'metadata'], ...problem }] : []
  })
  if (errors.length) throw new ApiError(422, errors)
}

const supersededTwice = () => new ApiError(409, 'The memory to supersede was superseded already')

const UNIQUE_VIOLATION = '23505'

const taken = (error: { code?: string }): never => {
  if (error.code === UNIQUE_VIOLATION)
    throw new ApiError(409, 'The same content is remembered already')
  throw error
}

const notFound = () => new ApiError(404, 'Memory not found')

/** Only what was given: the rest stays as it is. */
const changeOf = async ({
  content,
  tags,
  occurred_at,
  ...rest
}: UpdateMemory): Promise<Partial<NewMemory>> => ({
  ...rest,
  ...(content !== undefined && (await contentColumns(content))),
  ...(tags !== undefined && { tags: [...new Set(tags)] }),
  ...(occurred_at !== undefined && { occurred_at: instantOf(occurred_at) }),
})

/** Who a caller is to a memory's history. */
export const actorOf = ({ keyId, sessionId }: Pick<Writer, 'keyId' | 'sessionId'>): Actor =>
  keyId ? { kind: 'api_key', ref: keyId } : { kind: 'session', ref: sessionId }

const newMemory = async (source: Actor, body: Remember): Promise<NewMemory> => ({
  memory_id: Bun.randomUUIDv7(),
  ...(await contentColumns(body.content)),
  memory_type: body.memory_type,
  importance: body.importance,
  tags: [...new Set(body.tags)],
  thread: body.thread ?? null,
  position: body.position ?? null,
  author: body.author ?? null,
  agent_slug: body.agent_slug ?? null,
  source_kind: source.kind,
  source_ref: source.ref,
  metadata: body.metadata,
  occurred_at: instantOf(body.occurred_at),
})

const adoptedMemory = async (adopted: Adopted): Promise<NewMemory> => ({
  memory_id: adopted.memory_id,
  ...(await contentColumns(adopted.content_text, adopted.language)),
  memory_type: adopted.memory_type,
  importance: adopted.importance,
  tags: [...new Set(adopted.tags)],
  thread: adopted.thread ?? null,
  position: adopted.position ?? null,
  author: adopted.author ?? null,
  agent_slug: adopted.agent_slug ?? null,
  source_kind: adopted.source?.kind ?? 'import',
  source_ref: adopted.source?.ref ?? null,
  metadata: adopted.metadata,
  occurred_at: instantOf(adopted.occurred_at),
  created_at: instantOf(adopted.created_at),
  updated_at: instantOf(adopted.updated_at),
  valid_from: instantOf(adopted.valid_from),
  valid_to: instantOf(adopted.valid_to),
  supersedes: adopted.supersedes ?? null,
  superseded_by: adopted.superseded_by ?? null,
})
