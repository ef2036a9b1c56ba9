import type { RecordActivity } from '../../account/activity/service.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import { commonError } from '../../platform/http/error.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createSharedRead, createSharedWrite } from '../../platform/shared-statements.ts'
import { actorOf, type MemoryCaller } from './actor.ts'
import { completeDuplicates, type Repeated, type RunTransaction } from './duplicates.ts'
import {
  type InsertedMemories,
  insertMemories,
  type MemoryOwner,
  type MemoryWrite,
  type NewMemory,
  type StoredMemory,
} from './insert-store.ts'
import { findWriter } from './owner-store.ts'
import { createPlannerStatistics } from './planner-statistics.ts'
import type { Redaction } from './redaction.ts'
import { countLanguages, languagesOn } from './store.ts'
import { type CountLanguages, withTerms } from './terms.ts'

const ownerOf = ({ ownerId, userId, timezone }: MemoryCaller): MemoryOwner => ({
  ownerId,
  userId,
  timezone,
  orgId: ownerId === userId ? null : ownerId,
})

/** The engines that process written memories. Each write stores their tasks in its transaction. */
export interface EngineQueue {
  /** The engines that get a task for each memory. */
  readonly names: readonly string[]
  /** Those for an imported memory. */
  readonly importNames: readonly string[]
  /** Starts the engines on the tasks of an owner shortly. Call it after the commit. */
  schedule(ownerId: string): void
}

export interface MemoryDeps {
  engines: EngineQueue
  redaction: Redaction
  record: RecordActivity
  metrics?: Pick<Metrics, 'countWritten'> | undefined
}

/** The steps that all writers of memories share. */
export const createMemoryStoring = (
  database: Database,
  { engines, record, metrics }: Omit<MemoryDeps, 'redaction'>,
) => {
  const statistics = createPlannerStatistics({ ...database, ...database.background })
  const shared = sharedStatements(database, engines.names)
  return {
    /** @returns the memory of each row: another one, where that has the same content. */
    store: (
      query: Query,
      caller: MemoryCaller,
      rows: NewMemory[],
      names: readonly string[] = engines.names,
    ): Promise<StoredMemory[]> => storeMemories(ownerOf(caller), rows, statementsOn(query, names)),

    /** The same in a transaction of its own, which small writes of all owners share. */
    storeShared: (caller: MemoryCaller, rows: NewMemory[]): Promise<StoredMemory[]> =>
      storeMemories(ownerOf(caller), rows, shared),

    /** Adds to the memories that were stored before what they lack of the rows. */
    complete: (
      transaction: RunTransaction,
      caller: MemoryCaller,
      rows: Repeated[],
      stored: StoredMemory[],
    ) =>
      completeDuplicates({
        transaction,
        rows,
        stored,
        engines: engines.names,
        change: { ownerId: caller.ownerId, actor: actorOf(caller) },
      }),

    /** Call it after the commit. */
    onStored({ ownerId }: MemoryCaller, count: number): void {
      statistics.countWritten(count)
      metrics?.countWritten(count)
      engines.schedule(ownerId)
    },

    /** Records what is new and what was completed. */
    recordStored(caller: MemoryCaller, stored: StoredMemory[]): void {
      const idsOf = (some: StoredMemory[]) => some.map(({ memory }) => ({ id: memory.memoryId }))
      const memories = idsOf(stored.filter(({ deduplicated }) => !deduplicated))
      const changed = idsOf(stored.filter(({ added }) => added))
      if (memories.length) record(caller, { kind: 'memory.stored', memories })
      if (changed.length) record(caller, { kind: 'memory.changed', memories: changed })
    },
  }
}
export type MemoryStoring = ReturnType<typeof createMemoryStoring>

/** The statements of a write. */
interface WriteStatements {
  query: Query
  countLanguages: CountLanguages
  /** The first attempt. Those for what it leaves open are not shared, and wait for other writers. */
  insertFirst(write: MemoryWrite): Promise<InsertedMemories>
  insert(write: MemoryWrite): Promise<InsertedMemories>
}

const statementsOn = (query: Query, engines: readonly string[]): WriteStatements => {
  const insert = async (write: MemoryWrite): Promise<InsertedMemories> => {
    const [inserted = new Map()] = await insertMemories(query, [write], engines)
    return inserted
  }
  return { query, countLanguages: languagesOn(query), insertFirst: insert, insert }
}

/** The characters of a shared statement: others wait until it is done. */
const MAX_SHARED_SIZE = 100_000
/** A larger write has a statement of its own at once. */
const MAX_SMALL_SIZE = 10_000
/** The cost of a row beside its content. */
const ROW_SIZE = 500

const sizeOf = ({ rows }: MemoryWrite): number =>
  rows.reduce((size, { content_text }) => size + ROW_SIZE + content_text.length, 0)

/** The statements of writes that arrive together. Citus writes for one owner at a time. */
const sharedStatements = (
  { query, isDistributed }: Pick<Database, 'query' | 'isDistributed'>,
  engines: readonly string[],
): WriteStatements => {
  const alone = statementsOn(query, engines)
  if (isDistributed) return alone
  const insertShared = createSharedWrite<MemoryWrite, InsertedMemories>(
    { runOne: alone.insert, runAll: (writes) => insertMemories(query, writes, engines) },
    { sizeOf, maxSize: MAX_SHARED_SIZE },
  )
  return {
    ...alone,
    countLanguages: createSharedRead({
      runOne: alone.countLanguages,
      runAll: (ownerIds) => countLanguages(query, ownerIds),
    }),
    insertFirst: (write) =>
      sizeOf(write) > MAX_SMALL_SIZE ? alone.insert(write) : insertShared(write),
  }
}

/** Another writer can be first with the same content only so often. */
const MAX_ATTEMPTS = 5

/**
 * Stores each content once in a thread; repeats for contents that another writer writes at this moment.
 * @returns the memory of each row.
 * @throws ApiError 401 when the writer was deleted meanwhile, 403 when their organization was.
 */
const storeMemories = async (
  owner: MemoryOwner,
  rows: NewMemory[],
  { query, countLanguages, insertFirst, insert }: WriteStatements,
): Promise<StoredMemory[]> => {
  const stored = new Map<number, StoredMemory>()
  const written = await withTerms(countLanguages, owner.ownerId, rows)
  let open = [...written.entries()]
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === MAX_ATTEMPTS) {
      await checkWriter(query, owner)
      throw new Error('the same memory is being written by another writer')
    }
    const write = { owner, rows: open.map(([, row]) => row) }
    const inserted = await (attempt === 0 ? insertFirst(write) : insert(write))
    for (const [place, [index]] of open.entries()) {
      const memory = inserted.get(place)
      if (memory) stored.set(index, memory)
    }
    open = open.filter(([index]) => !stored.has(index))
  }
  return rows.flatMap((_, index) => stored.get(index) ?? [])
}

const checkWriter = async (query: Query, owner: MemoryOwner): Promise<void> => {
  const { userExists, orgExists } = await findWriter(query, owner)
  if (!userExists) throw commonError('bad_credentials')
  if (!orgExists) throw commonError('not_org_member')
}
