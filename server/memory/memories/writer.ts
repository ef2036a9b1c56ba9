import type { Remember, Remembered } from '../../../shared/contract/memories.ts'
import type { RecordActivity } from '../../account/activity/service.ts'
import { afterCommit } from '../../platform/db/connections.ts'
import type { Database, Db, Query } from '../../platform/db/database.ts'
import { mapYielding } from '../../platform/event-loop.ts'
import { commonError } from '../../platform/http/error.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { actorOf, editorTrust, type MemoryCaller, type Source, sourceOf } from './actor.ts'
import { completeDuplicates, type Repeated, type RunTransaction } from './duplicates.ts'
import { memoryError } from './errors.ts'
import {
  insertMemories,
  type MemoryOwner,
  type NewMemory,
  type StoredMemory,
} from './insert-store.ts'
import {
  type CapturedMemory,
  checkMetadata,
  type MemoryImport,
  newCapturedMemory,
  newImportedMemory,
  newMemory,
  type TrustedImport,
} from './new-memory.ts'
import { findWriter } from './owner-store.ts'
import { createPlannerStatistics } from './planner-statistics.ts'
import { presentMemory } from './present.ts'
import type { Redaction } from './redaction.ts'
import { findMemories } from './store.ts'
import { linkImported } from './successors.ts'
import { supersedeMemory } from './supersede-store.ts'
import { checkSupersedingTrust, lockSuperseded } from './supersession.ts'
import { confirmMemory } from './trust-store.ts'

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

/** Writes new memories. */
export const createMemoryWriter = (
  database: Database,
  { engines, redaction, record, metrics }: MemoryDeps,
) => {
  const statistics = createPlannerStatistics({ ...database, ...database.background })

  const store = (query: Query, caller: MemoryCaller, rows: NewMemory[]) =>
    storeMemories(query, ownerOf(caller), rows, engines.names)

  /** Call it after the commit. */
  const onStored = ({ ownerId }: MemoryCaller, count: number): void => {
    statistics.countWritten(count)
    metrics?.countWritten(count)
    engines.schedule(ownerId)
  }

  const recordStored = (caller: MemoryCaller, stored: StoredMemory[]): void => {
    const idsOf = (some: StoredMemory[]) => some.map(({ memory }) => ({ id: memory.memoryId }))
    const memories = idsOf(stored.filter(({ deduplicated }) => !deduplicated))
    const changed = idsOf(stored.filter(({ added }) => added))
    if (memories.length) record(caller, { kind: 'memory.stored', memories })
    if (changed.length) record(caller, { kind: 'memory.changed', memories: changed })
  }

  /** Stores memories some of which supersede others, in one transaction. */
  const storeSuperseding = (
    caller: MemoryCaller,
    bodies: Remember[],
    rows: NewMemory[],
  ): Promise<StoredMemory[]> =>
    database.transaction(async (query) => {
      // Ids are compared as the database writes them.
      const superseded = bodies.map(({ supersedes }) => supersedes?.toLowerCase())
      const trusts = await lockSuperseded(
        query,
        caller.ownerId,
        superseded.flatMap((id) => id ?? []),
      )
      const stored = await store(query, caller, rows)
      for (const [index, supersedes] of superseded.entries()) {
        const one = stored[index]
        if (!supersedes || !one) continue
        const { memoryId, trust: superseding } = one.memory
        checkSupersedingTrust({ caller: editorTrust(caller), superseding }, trusts.get(supersedes))
        if (memoryId === supersedes) throw memoryError('supersedes_itself')
        const actor = actorOf(caller)
        one.memory = await supersedeMemory(query, {
          ownerId: caller.ownerId,
          actor,
          memoryId: supersedes,
          supersedingId: memoryId,
        })
      }
      return stored
    })

  /** The same words of the user themselves confirm what a memory of less trust says. */
  const confirm = async (caller: MemoryCaller, rows: NewMemory[], stored: StoredMemory[]) => {
    for (const [index, one] of stored.entries()) {
      if (!one.deduplicated || rows[index]?.trust !== 'user' || one.memory.trust === 'user')
        continue
      const change = {
        ownerId: caller.ownerId,
        memoryId: one.memory.memoryId,
        actor: actorOf(caller),
      }
      one.memory = await database.transaction(
        async (query) => (await confirmMemory(query, change, engines.names)) ?? one.memory,
      )
    }
  }

  /** Adds to the memories that were stored before what they lack of the rows. */
  const complete = (
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
    })

  /** Stores all or none. @returns them in the order given. */
  const remember = async (
    caller: MemoryCaller,
    bodies: Remember[],
    source?: Source,
  ): Promise<Remembered[]> => {
    const rows = await mapYielding(bodies, async (body) =>
      newMemory(source ?? sourceOf(caller, body.author), await redaction.body(body)),
    )
    const stored = bodies.some(({ supersedes }) => supersedes)
      ? await storeSuperseding(caller, bodies, rows)
      : await store(database.query, caller, rows)
    await confirm(caller, rows, stored)
    await complete(database.transaction, caller, rows, stored)
    onStored(caller, rows.length)
    recordStored(caller, stored)
    const superseded = bodies.flatMap(({ supersedes }) => supersedes?.toLowerCase() ?? [])
    if (superseded.length)
      record(caller, { kind: 'memory.superseded', memories: superseded.map((id) => ({ id })) })
    return stored.map(presentStored)
  }

  return {
    /** @param source what wrote them; by default the caller's key or session. */
    rememberAll(caller: MemoryCaller, bodies: Remember[], source?: Source): Promise<Remembered[]> {
      checkMetadata(bodies, (index) => ['memories', index])
      return remember(caller, bodies, source)
    },

    async remember(caller: MemoryCaller, body: Remember): Promise<Remembered> {
      checkMetadata([body])
      const [memory] = await remember(caller, [body])
      return memory as Remembered
    },

    /**
     * Stores captured messages, each key once, also where its memory was changed or deleted since.
     * @returns the memories in the order given.
     */
    async captureAll(caller: MemoryCaller, captured: CapturedMemory[]): Promise<Remembered[]> {
      const rows = await mapYielding(captured, newCapturedMemory)
      const stored = await store(database.query, caller, rows)
      await complete(database.transaction, caller, rows, stored)
      onStored(caller, rows.length)
      recordStored(
        caller,
        stored.filter(({ added }) => added),
      )
      return stored.map(presentStored)
    },

    /** Stores a memory within the caller's transaction. */
    async rememberWithin(
      tx: Db,
      caller: MemoryCaller,
      body: Remember,
      source: Source,
    ): Promise<void> {
      const query = database.queryIn(tx)
      const rows = [await newMemory(source, await redaction.body(body))]
      const stored = await store(query, caller, rows)
      await complete((work) => work(query), caller, rows, stored)
      onStored(caller, 1)
      afterCommit(tx, () => recordStored(caller, stored))
    },

    /**
     * Stores memories that were exported elsewhere, with their times and relations.
     * @returns the memory that each is stored as: another one, where that has the same content.
     */
    async importAll(
      caller: MemoryCaller,
      imported: MemoryImport[],
    ): Promise<{ memoryId: string; deduplicated: boolean }[]> {
      if (imported.length === 0) return []
      const rows = await mapYielding(imported, async (memory) =>
        newImportedMemory(await redaction.imported(memory)),
      )
      const { bulk } = database
      const stored = await storeMemories(bulk.query, ownerOf(caller), rows, engines.importNames)
      await complete(bulk.transaction, caller, rows, stored)
      onStored(caller, rows.length)
      return stored.map(({ memory: { memoryId }, deduplicated }) => ({ memoryId, deduplicated }))
    },

    /** Completes the chains of supersessions that an import leaves open. Call it after the last memory of a file. */
    async linkImported({ ownerId }: MemoryCaller): Promise<void> {
      await database.bulk.transaction((query) => linkImported(query, ownerId, engines.importNames))
      engines.schedule(ownerId)
    },

    /** @param duplicates imported memories, and the ids of those with the same content. */
    async addToDuplicates(
      caller: MemoryCaller,
      duplicates: ReadonlyMap<TrustedImport, string>,
    ): Promise<void> {
      if (duplicates.size === 0) return
      const found = await findMemories(database.bulk.db, caller.ownerId, [...duplicates.values()])
      const byId = new Map(found.map((memory) => [memory.memoryId, memory]))
      const pairs = [...duplicates].flatMap(([imported, id]) => {
        const memory = byId.get(id)
        return memory ? [{ row: repeatedImport(imported), memory }] : []
      })
      await complete(
        database.bulk.transaction,
        caller,
        pairs.map(({ row }) => row),
        pairs.map(({ memory }) => ({ memory, deduplicated: true })),
      )
    },
  }
}

const presentStored = ({ memory, deduplicated, added }: StoredMemory): Remembered => ({
  ...presentMemory(memory),
  deduplicated,
  ...(added && { added }),
})

const repeatedImport = ({ tags, importance, trust }: TrustedImport): Repeated => ({
  tags,
  importance: importance ?? null,
  trust,
})

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
