import type { Database } from '../../platform/db/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Engines } from '../engines/service.ts'
import { createMemoryEditor } from './editor.ts'
import { createMemoryReader } from './reader.ts'
import { createMemoryWriter } from './writer.ts'

export type { AdoptedMemory } from './new-memory.ts'
export type { OpenQuestion } from './questions-store.ts'

export type MemoryService = ReturnType<typeof createMemoryService>

export const createMemoryService = (
  database: Database,
  engines: Pick<Engines, 'names' | 'importNames' | 'nudge'>,
  metrics?: Pick<Metrics, 'countWritten'>,
) => ({
  ...createMemoryWriter(database, engines, metrics),
  ...createMemoryReader(database),
  ...createMemoryEditor(database, engines),
})
