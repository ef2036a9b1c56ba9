import { setImmediate as othersTurn } from 'node:timers/promises'
import {
  type ExportedMemory,
  type Imported,
  ImportedMemory,
  type ImportFormat,
} from '../../../shared/schemas/transfer.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { readValue } from '../../platform/http/validate.ts'
import { metadataProblem } from '../memories/content.ts'
import { presentMemory } from '../memories/present.ts'
import type { MemoryService } from '../memories/service.ts'
import { readMemories } from './formats/index.ts'
import { createIntake } from './intake.ts'
import { pageOfMemories } from './store.ts'

const PAGE = 200
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** A batch is stored by one statement. */
const MAX_BATCH = 1_000
const MAX_BATCH_CHARACTERS = 4 * 1024 * 1024
/** More wrong lines than this say nothing new. */
const MAX_FAILED = 1_000

export type TransferService = ReturnType<typeof createTransferService>

export const createTransferService = (database: Database, memories: MemoryService) => ({
  /** All that a caller has, oldest first and a page at a time: what was superseded too. */
  async *export(caller: Caller): AsyncGenerator<ExportedMemory> {
    for (let after = FIRST_ID; ; ) {
      const page = await pageOfMemories(database.query, caller.ownerId, { after, limit: PAGE })
      for (const memory of page) yield { ...presentMemory(memory), language: memory.language }
      if (page.length < PAGE) return
      // The embedded database answers without a pause in which another request could be served.
      await othersTurn()
      after = page.at(-1)?.memoryId ?? after
    }
  },

  /** Stores the memories of a file, batch by batch as it comes; each is there once in the end. */
  async import(
    caller: Caller,
    file: AsyncIterable<Uint8Array>,
    format: ImportFormat,
  ): Promise<Imported> {
    const report: Imported = { imported: 0, deduplicated: 0, failed_count: 0, failed: [] }
    const intake = createIntake(database.query, memories, caller)
    let batch: ImportedMemory[] = []
    let characters = 0
    const flush = async () => {
      const { imported, deduplicated } = await intake.take(batch)
      await othersTurn()
      report.imported += imported
      report.deduplicated += deduplicated
      batch = []
      characters = 0
    }
    for await (const found of readMemories(file, format)) {
      const checked = 'told' in found ? check(found.told) : found
      if ('problem' in checked) {
        report.failed_count++
        if (report.failed.length < MAX_FAILED)
          report.failed.push({ line: found.line, detail: checked.problem })
        continue
      }
      batch.push(checked.memory)
      characters += sizeOf(checked.memory)
      if (batch.length >= MAX_BATCH || characters >= MAX_BATCH_CHARACTERS) await flush()
    }
    if (batch.length) await flush()
    return report
  },
})

const check = (told: unknown): { memory: ImportedMemory } | { problem: string } => {
  const read = readValue(ImportedMemory, told)
  if ('value' in read) {
    const problem = metadataProblem(read.value.metadata)
    return problem ? { problem: problem.msg } : { memory: withLowerIds(read.value) }
  }
  const problems = read.errors.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
  return { problem: problems.join('; ').slice(0, 1_000) }
}

/** Ids are compared as the database writes them. */
const withLowerIds = (memory: ImportedMemory): ImportedMemory => ({
  ...memory,
  ...(memory.memory_id && { memory_id: memory.memory_id.toLowerCase() }),
  supersedes: memory.supersedes?.toLowerCase() ?? null,
  superseded_by: memory.superseded_by?.toLowerCase() ?? null,
})

const sizeOf = ({ content_text, metadata }: ImportedMemory): number =>
  content_text.length + JSON.stringify(metadata).length
