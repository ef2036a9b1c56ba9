import type { RecordActivity } from '../../account/activity/service.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import { commonError } from '../../platform/http/error.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { actorOf, type MemoryCaller } from './actor.ts'
import { completeDuplicates, type Repeated, type RunTransaction } from './duplicates.ts'
import {
  insertMemories,
  type MemoryOwner,
  type NewMemory,
  type StoredMemory,
} from './insert-store.ts'
import { findWriter } from './owner-store.ts'
import { createPlannerStatistics } from './planner-statistics.ts'
import type { Redaction } from './redaction.ts'

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
  return {
    /** @returns the memory of each row: another one, where that has the same content. */
    store: (
      query: Query,
      caller: MemoryCaller,
      rows: NewMemory[],
      names: readonly string[] = engines.names,
    ): Promise<StoredMemory[]> => storeMemories(query, ownerOf(caller), rows, names),

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

/** Another writer can be first with the same content only so often. */
const MAX_ATTEMPTS = 5

/**
 * Stores each content once in a thread; repeats for contents that another writer writes at this moment.
 * @returns the memory of each row.
 * @throws ApiError 401 when the writer was deleted meanwhile, 403 when their organization was.
 */
const storeMemories = async (
  query: Query,
  owner: MemoryOwner,
  rows: NewMemory[],
  engines: readonly string[],
): Promise<StoredMemory[]> => {
  const stored = new Map<number, StoredMemory>()
  let open = [...rows.entries()]
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === MAX_ATTEMPTS) {
      await checkWriter(query, owner)
      throw new Error('the same memory is being written by another writer')
    }
    const inserted = await insertMemories(
      query,
      owner,
      open.map(([, row]) => row),
      engines,
    )
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
