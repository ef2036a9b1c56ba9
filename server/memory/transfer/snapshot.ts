import pLimit from 'p-limit'
import { NIL_UUID } from '../../../shared/contract/common.ts'
import type { ExportedMemory } from '../../../shared/contract/transfer.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import { createPacer } from '../../platform/event-loop.ts'
import { createSpool, type Spool } from '../../platform/spool.ts'
import { presentMemory } from '../memories/present.ts'
import { listExportPage, useSnapshot } from './store.ts'

const PAGE = 200

/** Concurrent exports: each occupies a connection of the pool while it reads. */
const snapshots = pLimit(2)

/**
 * All memories of an owner in one snapshot. They are spooled first, so that a slow client occupies
 * neither a connection nor a transaction.
 */
export async function* exportSnapshot(
  database: Database,
  ownerId: string,
): AsyncGenerator<ExportedMemory> {
  await using spool = await snapshots(() => spoolSnapshot(database, ownerId))
  for await (const line of spool.lines()) yield JSON.parse(line)
}

/** A retried transaction starts a new spool. */
const spoolSnapshot = async (database: Database, ownerId: string): Promise<Spool> => {
  let spool = createSpool()
  const readAll = async (query: Query) => {
    await spool[Symbol.asyncDispose]()
    spool = createSpool()
    const pacer = createPacer()
    await useSnapshot(query)
    for (let after = NIL_UUID; ; ) {
      const page = await listExportPage(query, ownerId, { after, limit: PAGE })
      for (const memory of page)
        await spool.write(JSON.stringify({ ...presentMemory(memory), language: memory.language }))
      if (page.length < PAGE) return
      if (pacer.isDue()) await pacer.yield()
      after = page.at(-1)?.memoryId ?? after
    }
  }
  try {
    await database.transaction(readAll)
  } catch (error) {
    await spool[Symbol.asyncDispose]()
    throw error
  }
  return spool
}
