import type { Backfill } from '../../platform/backfills/service.ts'
import type { Query } from '../../platform/db/database.ts'
import { FIRST_KEY, formatKey, parseKey } from '../memories/memory-key.ts'
import { listNextMemories } from './backfill-store.ts'
import { storeMissingBuiltInVectors } from './built-in.ts'
import { GLOVE_MODEL } from './glove/sentence.ts'

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
