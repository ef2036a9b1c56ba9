import type {
  ExportedMemory,
  ImportedMemory,
  ImportFormat,
  ImportReport,
} from '../../../shared/contract/transfer.ts'
import type { Activity, Pace } from '../../platform/activity.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { MemoryService } from '../memories/service.ts'
import type { ImportReader } from './import-reader.ts'
import { createImporter } from './importer.ts'
import { exportSnapshot } from './snapshot.ts'

/** In memories. A batch is one statement; reading the rows of a larger one would delay requests. */
const MAX_BATCH = budgets.importBatch.count
/** Smaller batches while other requests arrive: the statement occupies a processor. */
const MAX_BATCH_UNDER_LOAD = 20
const LOAD_REQUESTS_PER_SECOND = 10

export type TransferService = ReturnType<typeof createTransferService>

export const createTransferService = (
  database: Database,
  memories: MemoryService,
  reader: ImportReader,
  /** Called after each batch with the time that it took. */
  pace: Pace,
  activity: Pick<Activity, 'perSecond'>,
) => ({
  /** All memories of a caller in one snapshot, the oldest first, with superseded ones. */
  export: (caller: Caller): AsyncGenerator<ExportedMemory> =>
    exportSnapshot(database, caller.ownerId),

  /** Stores each memory of a file once, batch by batch while it is received. */
  async import(
    caller: Caller,
    file: AsyncIterable<Uint8Array>,
    format: ImportFormat,
  ): Promise<ImportReport> {
    const report: ImportReport = { imported: 0, deduplicated: 0, failed_count: 0, failed: [] }
    const importer = createImporter(database.bulk.query, memories, caller)
    let batch: ImportedMemory[] = []
    let characters = 0
    const maxBatch = () =>
      activity.perSecond() >= LOAD_REQUESTS_PER_SECOND ? MAX_BATCH_UNDER_LOAD : MAX_BATCH
    const flush = async () => {
      const start = performance.now()
      const { imported, deduplicated } = await importer.importBatch(batch)
      await pace(performance.now() - start)
      report.imported += imported
      report.deduplicated += deduplicated
      batch = []
      characters = 0
    }
    for await (const checked of reader.read(file, format)) {
      if ('problem' in checked) {
        report.failed_count++
        if (report.failed.length < budgets.importFailures.count)
          report.failed.push({ line: checked.line, detail: checked.problem })
        continue
      }
      batch.push(checked.memory)
      characters += sizeOf(checked.memory)
      if (batch.length >= maxBatch() || characters >= budgets.importBatch.characters) await flush()
    }
    if (batch.length) await flush()
    return report
  },

  /** Ends the child processes that read large records. */
  stop: (): Promise<void> => Promise.resolve(reader[Symbol.asyncDispose]()),
})

const sizeOf = ({ content_text, metadata }: ImportedMemory): number =>
  content_text.length + JSON.stringify(metadata).length
