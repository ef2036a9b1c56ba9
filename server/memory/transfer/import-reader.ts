import type { ImportFormat } from '../../../shared/contract/transfer.ts'
import { budgets } from '../../platform/budgets.ts'
import { entryFile } from '../../platform/files.ts'
import { ChildKilled, createProcessPool } from '../../platform/process/pool.ts'
import { type RawRecord, readRecords } from '../../platform/records/records.ts'
import { type CheckedMemory, checkedMemories } from './formats/index.ts'
import type { RecordHeader } from './record-process.ts'

/** A record of this size is parsed and checked within a few milliseconds. */
const SMALL_RECORD_BYTES = 64 * 1024

/** How files of memories are split. */
export const MEMORY_RECORDS = {
  listKeys: new Set(['results', 'memories', 'conversations']),
  maxBytes: budgets.importRecord.bytes,
}

export type ImportReader = ReturnType<typeof createImportReader>

/**
 * Reads imported files. A record may be a conversation of 32 MiB. Large records are parsed in child
 * processes, because `JSON.parse` blocks the event loop.
 */
export const createImportReader = () => {
  const pool = createProcessPool({
    entry: entryFile('server/memory/transfer/record-process.ts'),
    size: 2,
    taskCpuMs: budgets.importRecord.cpuMs,
    taskMs: budgets.importRecord.ms,
    memoryBytes: budgets.importRecord.memory,
    cpuSeconds: 600,
  })

  async function* readLarge(record: RawRecord & { bytes: Uint8Array }, format: ImportFormat) {
    const { number, bytes } = record
    const header: RecordHeader = { number, format }
    try {
      for await (const item of pool.run({ header, bytes }, new AbortController().signal))
        yield item as CheckedMemory
    } catch (error) {
      if (!(error instanceof ChildKilled)) throw error
      yield { line: number, problem: 'Too large to read' }
    }
  }

  return {
    /** Yields the memories of a file while it is received. */
    async *read(
      file: AsyncIterable<Uint8Array>,
      format: ImportFormat,
    ): AsyncGenerator<CheckedMemory> {
      for await (const record of readRecords(file, MEMORY_RECORDS))
        if ('bytes' in record && record.bytes.byteLength > SMALL_RECORD_BYTES)
          yield* readLarge(record, format)
        else yield* checkedMemories(record, format)
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
