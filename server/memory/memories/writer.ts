import type { Remember, Remembered } from '../../../shared/contract/memories.ts'
import { afterCommit } from '../../platform/db/connections.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { mapYielding } from '../../platform/event-loop.ts'
import { actorOf, editorTrust, type MemoryCaller, type Source, sourceOf } from './actor.ts'
import { memoryError } from './errors.ts'
import type { NewMemory, StoredMemory } from './insert-store.ts'
import { type CapturedMemory, checkMetadata, newCapturedMemory, newMemory } from './new-memory.ts'
import { presentMemory } from './present.ts'
import type { MemoryDeps, MemoryStoring } from './storing.ts'
import { supersedeMemory } from './supersede-store.ts'
import { checkSupersedingTrust, lockSuperseded } from './supersession.ts'
import { confirmMemory } from './trust-store.ts'

/** Writes new memories. */
export const createMemoryWriter = (
  database: Database,
  storing: MemoryStoring,
  { engines, redaction, record }: MemoryDeps,
) => {
  const { store, storeShared, complete, onStored, recordStored } = storing

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
      : await storeShared(caller, rows)
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
      const stored = await storeShared(caller, rows)
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
  }
}

const presentStored = ({ memory, deduplicated, added }: StoredMemory): Remembered => ({
  ...presentMemory(memory),
  deduplicated,
  ...(added && { added }),
})
