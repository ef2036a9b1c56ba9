import {
  allTags,
  type Memory,
  type MemoryEvent,
  type MemoryType,
  type Trust,
} from '../../../shared/contract/memories.ts'
import type {
  CompletedField,
  MemoryChanges,
  MemoryFacets,
  MemoryList,
  MemoryOrder,
  MemoryValues,
} from '../../../shared/contract/memory-lists.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import { timeBound, UTC } from '../../platform/timezone.ts'
import type { ReadableOwner } from '../wall.ts'
import { isReadable, type MemoryCaller, readableTrust } from './actor.ts'
import { listChanges } from './changes-store.ts'
import { listValues } from './completion-store.ts'
import { memoryError } from './errors.ts'
import { countFacets, listMemories, type MemoryFilter } from './list-store.ts'
import { presentCreation, presentEvent, presentMemory, presentVisible } from './present.ts'
import {
  findDeletedMemory,
  findMemories,
  findMemory,
  listContents,
  listHistory,
  listOpenQuestions,
  type OpenQuestion,
  type ShownMemory,
} from './store.ts'
import { listVisibleSuccessions } from './succession-store.ts'

interface CompletionQuery {
  field: CompletedField
  prefix?: string
  limit: number
  min_trust?: Trust
}

interface FilterQuery {
  thread?: string
  memory_type?: MemoryType
  tag?: string
  tags?: string[]
  author?: string
  agent_slug?: string
  project?: string
  client?: string
  trust?: Trust
  min_trust?: Trust
  since?: string
  until?: string
  deleted?: boolean
}

/** The filter of a request, within what its caller may read. */
export const filterOf = (
  caller: MemoryCaller,
  { memory_type, agent_slug, trust, min_trust, since, until, tag, tags, ...filter }: FilterQuery,
): MemoryFilter => {
  const readable = readableTrust(caller, min_trust)
  return {
    ...filter,
    tags: allTags({ tag, tags }),
    memoryType: memory_type,
    agentSlug: agent_slug,
    trusts: trust ? [trust].filter((level) => readable?.includes(level) ?? true) : readable,
    since: timeBound(since, caller.timezone ?? UTC),
    until: timeBound(until, caller.timezone ?? UTC),
  }
}

/** Presents memories of an owner to a reader of these levels of trust; undefined for all. */
const presentFor = async (
  query: Query,
  ownerId: string,
  rows: ShownMemory[],
  trusts: Trust[] | undefined,
): Promise<Memory[]> => {
  const successions = await listVisibleSuccessions(query, ownerId, trusts)
  return rows.map((row) => presentVisible(row, successions))
}

const presentOne = async (
  query: Query,
  caller: MemoryCaller,
  memory: ShownMemory,
): Promise<Memory> => {
  const trusts = memory.supersededBy ? readableTrust(caller) : undefined
  const [presented] = await presentFor(query, caller.ownerId, [memory], trusts)
  return presented ?? presentMemory(memory)
}

/** Reads memories by their ids, in pages, and by what they are. */
export const createMemoryReader = (database: Database) => ({
  /** @throws ApiError 404 when the memory does not exist or is deleted. */
  async get(caller: MemoryCaller, memoryId: string): Promise<Memory> {
    const memory = await findMemory(database.db, caller.ownerId, memoryId)
    if (!memory || memory.deletedAt || !isReadable(caller, memory.trust))
      throw memoryError('memory_not_found')
    return presentOne(database.query, caller, memory)
  },

  /** @throws ApiError 404 when the memory is not a deleted one that can be restored. */
  async getDeleted(caller: MemoryCaller, memoryId: string): Promise<Memory> {
    const memory = await findDeletedMemory(database.db, caller.ownerId, memoryId)
    if (!memory || !isReadable(caller, memory.trust)) throw memoryError('memory_not_found')
    return presentMemory(memory)
  },

  /** @throws ApiError 404 when the memory does not exist or was erased. */
  async history(caller: MemoryCaller, memoryId: string): Promise<MemoryEvent[]> {
    const memory = await findMemory(database.db, caller.ownerId, memoryId)
    if (!memory || !isReadable(caller, memory.trust)) throw memoryError('memory_not_found')
    const events = await listHistory(database.db, caller.ownerId, memoryId)
    return [presentCreation(memory), ...events.map(presentEvent)]
  },

  /** @throws ApiError 404 when the memory that a page begins after was erased: its place is lost. */
  async list(
    caller: MemoryCaller,
    {
      limit,
      cursor: before,
      sort = 'stored',
      ...filter
    }: FilterQuery & { limit: number; cursor?: string; sort?: MemoryOrder },
  ): Promise<MemoryList> {
    const rows = await listMemories(database.db, caller.ownerId, {
      ...filterOf(caller, filter),
      limit: limit + 1,
      before,
      sort,
    })
    if (before && sort === 'happened' && rows.length === 0) {
      if (!(await findMemory(database.db, caller.ownerId, before)))
        throw memoryError('memory_not_found')
    }
    const page = rows.slice(0, limit)
    return {
      memories: await presentFor(
        database.query,
        caller.ownerId,
        page,
        readableTrust(caller, filter.min_trust),
      ),
      next_cursor: rows.length > limit ? (page.at(-1)?.memoryId ?? null) : null,
    }
  },

  /** @param limit of the values of each kind. */
  facets: (
    caller: MemoryCaller,
    { limit, ...filter }: FilterQuery & { limit: number },
  ): Promise<MemoryFacets> =>
    countFacets(database.db, caller.ownerId, limit, filterOf(caller, filter)),

  /** Values of a field that begin with a text, in any case of letters. */
  async complete(
    caller: MemoryCaller,
    { field, prefix = '', limit, min_trust }: CompletionQuery,
  ): Promise<MemoryValues> {
    const values = await listValues(database.query, field, {
      ownerId: caller.ownerId,
      prefix,
      limit: limit + 1,
      trusts: readableTrust(caller, min_trust),
    })
    return { values: values.slice(0, limit), has_more: values.length > limit }
  },

  /**
   * The memories that changed since a cursor. Writers of an owner count their changes under a lock that they keep
   * until they commit, so that a cursor misses none.
   */
  async changes(caller: MemoryCaller, cursor: string | undefined): Promise<MemoryChanges> {
    const { ownerId } = caller
    const {
      isKnown,
      cursor: next_cursor,
      changed,
    } = await listChanges(database.query, ownerId, cursor)
    if (!isKnown) return { reset: true, memories: [], deleted: [], next_cursor }
    const known = new Set(changed.map(({ memoryId }) => memoryId))
    const successors = changed.flatMap(({ supersededBy }) =>
      supersededBy && !known.has(supersededBy) ? [supersededBy] : [],
    )
    const current = [
      ...changed.filter(({ deletedAt }) => !deletedAt),
      ...(successors.length ? await findMemories(database.db, ownerId, successors) : []),
    ]
    return {
      reset: false,
      memories: await presentFor(
        database.query,
        ownerId,
        current.filter(({ trust }) => isReadable(caller, trust)),
        readableTrust(caller),
      ),
      deleted: changed.filter(({ deletedAt }) => deletedAt).map(({ memoryId }) => memoryId),
      next_cursor,
    }
  },

  /** The latest questions that the user remembered and that nothing answers yet. */
  openQuestions: (
    ownerId: ReadableOwner,
    authors: string[],
    limit: number,
  ): Promise<OpenQuestion[]> => listOpenQuestions(database.query, ownerId, authors, limit),

  /** Memories by their ids, in this order, without those that were deleted or that the caller may not read. */
  async listByIds(caller: MemoryCaller, memoryIds: string[]): Promise<Memory[]> {
    const rows = await findMemories(database.db, caller.ownerId, memoryIds)
    const readable = rows.filter(({ trust }) => isReadable(caller, trust))
    const found = await presentFor(database.query, caller.ownerId, readable, readableTrust(caller))
    const byId = new Map(found.map((memory) => [memory.memory_id, memory]))
    return memoryIds.flatMap((id) => byId.get(id) ?? [])
  },

  /** The contents of memories by their ids, without those that were deleted. */
  texts: (caller: MemoryCaller, memoryIds: string[]): Promise<Map<string, string>> =>
    listContents(database.db, caller.ownerId, memoryIds),
})
