import {
  completeMemoryField,
  deleteMemory,
  forgetMatching,
  getMemory,
  listMemories,
  memoryChanges,
  memoryFacets,
  memoryHistory,
  remember,
  rememberBatch,
  restoreMatching,
  restoreMemory,
  updateMemory,
} from '../../../shared/contract/index.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/route.ts'
import { createBulkEditor } from './bulk.ts'
import { createCapturedEditor } from './captured.ts'
import { createMemoryEditor } from './editor.ts'
import { createImportWriter } from './import-writer.ts'
import { createMemoryReader } from './reader.ts'
import { createMemoryStoring, type MemoryDeps } from './storing.ts'
import { createMemoryWriter } from './writer.ts'

export type { MemoryImport } from './new-memory.ts'
export type { OpenQuestion } from './store.ts'

export type MemoryService = ReturnType<typeof createMemoryService>

export const createMemoryService = (database: Database, deps: MemoryDeps) => {
  const storing = createMemoryStoring(database, deps)
  return {
    ...createMemoryWriter(database, storing, deps),
    ...createImportWriter(database, storing, deps),
    ...createMemoryReader(database),
    ...createMemoryEditor(database, deps),
    ...createCapturedEditor(database, deps.engines),
    ...createBulkEditor(database, deps),
  }
}

export const memoryRoutes = (mount: Mount, memories: MemoryService): void => {
  mount(remember, ({ caller, body }) => memories.remember(caller, body))
  mount(rememberBatch, async ({ caller, body }) => {
    const remembered = await memories.rememberAll(caller, body.memories)
    return { memories: remembered, count: remembered.length }
  })
  mount(listMemories, ({ caller, query }) => memories.list(caller, query))
  mount(memoryChanges, ({ caller, query }) => memories.changes(caller, query.cursor))
  mount(memoryFacets, ({ caller, query }) => memories.facets(caller, query))
  mount(completeMemoryField, ({ caller, query }) => memories.complete(caller, query))
  mount(getMemory, ({ caller, params, query }) =>
    query.deleted
      ? memories.getDeleted(caller, params.memory_id)
      : memories.get(caller, params.memory_id),
  )
  mount(updateMemory, ({ caller, params, body }) => memories.update(caller, params.memory_id, body))
  mount(memoryHistory, ({ caller, params }) => memories.history(caller, params.memory_id))
  mount(restoreMemory, ({ caller, params }) => memories.restore(caller, params.memory_id))
  mount(forgetMatching, ({ caller, body, disableIdleTimeout }) => {
    disableIdleTimeout()
    return memories.forgetMatching(caller, body)
  })
  mount(restoreMatching, ({ caller, body, disableIdleTimeout }) => {
    disableIdleTimeout()
    return memories.restoreMatching(caller, body)
  })
  mount(deleteMemory, async ({ caller, params, query }) => {
    await memories.delete(caller, params.memory_id, query.permanent)
    return undefined
  })
}
