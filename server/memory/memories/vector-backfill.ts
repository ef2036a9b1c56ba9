import type { Backfill } from '../../platform/backfills/service.ts'
import type { Query } from '../../platform/db/database.ts'
import { listNextMemories } from '../engines/embedding/store.ts'
import { GLOVE_MODEL } from '../text/glove/sentence.ts'
import { FIRST_KEY, formatKey, parseKey } from './memory-key.ts'
import { storeMissingBuiltInVectors } from './vectors.ts'

/** About 5 ms of processor time. */
const PAGE = 100

const step = async (query: Query, position: string | null): Promise<string | null> => {
  const page = await listNextMemories(query, position ? parseKey(position) : FIRST_KEY, PAGE)
  for (const [ownerId, owned] of Map.groupBy(page, (memory) => memory.ownerId))
    await storeMissingBuiltInVectors(query, ownerId, owned)
  const last = page.at(-1)
  return last && page.length === PAGE ? formatKey(last) : null
}

/** Stores the built-in vectors of memories that were written without one. */
export const builtInBackfill: Backfill = { name: `memory vectors ${GLOVE_MODEL}`, step }
