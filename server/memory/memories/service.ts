import type { Database } from '../../platform/db/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createMemoryEditor } from './editor.ts'
import { createMemoryReader } from './reader.ts'
import { createMemoryWriter, type EngineQueue } from './writer.ts'

export type { MemoryImport } from './new-memory.ts'
export type { OpenQuestion } from './questions-store.ts'

export type MemoryService = ReturnType<typeof createMemoryService>

export const createMemoryService = (
  database: Database,
  engines: EngineQueue,
  metrics?: Pick<Metrics, 'countWritten'>,
) => ({
  ...createMemoryWriter(database, engines, metrics),
  ...createMemoryReader(database),
  ...createMemoryEditor(database, engines),
})
