import pLimit from 'p-limit'
import {
  type ExportedMemory,
  exportMemories,
  type ImportedMemory,
  type ImportFormat,
  type ImportReport,
  importMemories,
  type TrustLoss,
} from '../../../shared/contract/transfer.ts'
import type { RecordActivity } from '../../account/activity/service.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import { createPacer } from '../../platform/event-loop.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import { addFailure } from '../../platform/records/failures.ts'
import type { Pace, RequestRate } from '../../platform/request-rate.ts'
import { createSpool, type Spool } from '../../platform/spool.ts'
import { isReadable, readableTrust } from '../memories/actor.ts'
import { presentVisible } from '../memories/present.ts'
import type { MemoryService } from '../memories/service.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { listVisibleSuccessions, type VisibleSuccession } from '../memories/succession-store.ts'
import type { ImportReader } from './import-reader.ts'
import { createImporter, type TrustedMemory } from './importer.ts'
import type { ExportKeys } from './signatures.ts'
import { listExportPage, useSnapshot } from './store.ts'

/** In memories. A batch is one statement; reading the rows of a larger one would delay requests. */
const MAX_BATCH = budgets.importBatch.count
/** Smaller batches while other requests arrive: the statement occupies a processor. */
const MAX_BATCH_UNDER_LOAD = 20
const LOAD_REQUESTS_PER_SECOND = 10

export type TransferService = ReturnType<typeof createTransferService>

interface TransferDeps {
  database: Database
  memories: MemoryService
  record: RecordActivity
  reader: ImportReader
  keys: ExportKeys
  /** Called after each batch with the time that it took. */
  pace: Pace
  requestRate: Pick<RequestRate, 'perSecond'>
}

export const createTransferService = ({
  database,
  memories,
  record,
  reader,
  keys,
  pace,
  requestRate,
}: TransferDeps) => ({
  /** All memories of a caller in one snapshot, the oldest first, with superseded ones. */
  async *export(caller: Caller): AsyncGenerator<ExportedMemory> {
    const sign = keys.signerFor(caller)
    for await (const memory of exportSnapshot(database, caller))
      if (isReadable(caller, memory.source.trust)) yield sign(memory)
  },

  /** Stores each memory of a file once, batch by batch while it is received. */
  async import(
    caller: Caller,
    file: AsyncIterable<Uint8Array>,
    format: ImportFormat,
  ): Promise<ImportReport> {
    const report: ImportReport = { imported: 0, deduplicated: 0, failed_count: 0, failed: [] }
    const importer = createImporter(database.bulk.query, memories, caller)
    const losses = new Map<TrustLoss, number>()
    let batch: TrustedMemory[] = []
    let characters = 0
    const maxBatch = () =>
      requestRate.perSecond() >= LOAD_REQUESTS_PER_SECOND ? MAX_BATCH_UNDER_LOAD : MAX_BATCH
    const flush = async () => {
      const start = performance.now()
      const { imported, deduplicated, losses: lost } = await importer.importBatch(batch)
      await pace(performance.now() - start)
      report.imported += imported
      report.deduplicated += deduplicated
      for (const loss of lost) losses.set(loss, (losses.get(loss) ?? 0) + 1)
      batch = []
      characters = 0
    }
    for await (const checked of reader.read(file, format)) {
      if ('problem' in checked) {
        addFailure(report, { line: checked.line, detail: checked.problem })
        continue
      }
      const { memory, signed } = checked
      batch.push({ ...memory, ...(await keys.trustFor(caller, memory.source?.trust, signed)) })
      characters += sizeOf(checked.memory)
      if (batch.length >= maxBatch() || characters >= budgets.importBatch.characters) await flush()
    }
    if (batch.length) await flush()
    if (report.imported) {
      await memories.linkImported(caller)
      record(caller, { kind: 'import.finished', count: report.imported })
    }
    if (losses.size)
      report.trust_lowered = [...losses].map(([reason, count]) => ({ reason, count }))
    return report
  },

  /** Ends the child processes that read large records. */
  stop: async (): Promise<void> => reader[Symbol.asyncDispose](),
})

const exported = (
  memory: MemoryWithThread,
  successions: ReadonlyMap<string, VisibleSuccession>,
): ExportedMemory => ({
  ...presentVisible(memory, successions),
  language: memory.language,
  timezone: memory.timezone,
})

const sizeOf = ({ content_text, metadata }: ImportedMemory): number =>
  content_text.length + JSON.stringify(metadata).length

/** Memories that an export reads at a time. */
const PAGE = 200
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Concurrent exports: each occupies a connection of the pool while it reads. */
const snapshots = pLimit(2)

/**
 * All memories of an owner in one snapshot. They are spooled first, so that a slow client occupies
 * neither a connection nor a transaction.
 */
async function* exportSnapshot(database: Database, caller: Caller): AsyncGenerator<ExportedMemory> {
  await using spool = await snapshots(() => spoolSnapshot(database, caller))
  for await (const line of spool.lines()) yield JSON.parse(line)
}

/** A retried transaction starts a new spool. */
const spoolSnapshot = async (database: Database, caller: Caller): Promise<Spool> => {
  const { ownerId } = caller
  let spool = createSpool()
  const readAll = async (query: Query) => {
    await spool[Symbol.asyncDispose]()
    spool = createSpool()
    const pacer = createPacer()
    await useSnapshot(query)
    const successions = await listVisibleSuccessions(query, ownerId, readableTrust(caller))
    for (let after = FIRST_ID; ; ) {
      const page = await listExportPage(query, ownerId, { after, limit: PAGE })
      for (const memory of page) await spool.write(JSON.stringify(exported(memory, successions)))
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

export const transferRoutes = (mount: Mount, transfers: TransferService): void => {
  mount(exportMemories, ({ caller, saveAs }) => {
    saveAs(`svc-memories-${new Date().toISOString().slice(0, 10)}.ndjson`)
    return transfers.export(caller)
  })
  mount(importMemories, async ({ caller, query, file }) =>
    transfers.import(caller, await file(), query.format),
  )
}
