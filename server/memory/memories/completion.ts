import type { Backfill } from '../../platform/backfills/service.ts'
import type { Query } from '../../platform/db/database.ts'
import { extractExactForms } from '../text/exact-forms.ts'
import { completeMemories, listMemoriesAfter, lockIncomplete } from './completion-store.ts'
import { FIRST_KEY, formatKey, parseKey } from './memory-key.ts'
import { storeMissingBuiltInVectors } from './vectors.ts'

/** Memories that a step reads, and that it completes at most. */
const READ_PAGE = 1_000
const COMPLETED_PAGE = 100

const step = async (query: Query, position: string | null): Promise<string | null> => {
  const after = position ? parseKey(position) : FIRST_KEY
  const read = await listMemoriesAfter(query, after, READ_PAGE)
  const page = read.filter(({ isComplete }) => !isComplete).slice(0, COMPLETED_PAGE)
  for (const [ownerId, owned] of Map.groupBy(page, (memory) => memory.ownerId))
    await complete(
      query,
      ownerId,
      owned.map(({ memoryId }) => memoryId),
    )
  const isPageFull = page.length === COMPLETED_PAGE
  const last = isPageFull ? page.at(-1) : read.at(-1)
  return last && (isPageFull || read.length === READ_PAGE) ? formatKey(last) : null
}

const complete = async (query: Query, ownerId: string, memoryIds: string[]): Promise<void> => {
  const incomplete = await lockIncomplete(query, ownerId, memoryIds)
  if (incomplete.length === 0) return
  const forms = incomplete.map((memory) => ({
    memory_id: memory.memoryId,
    exact_forms: extractExactForms(memory.contentText),
  }))
  await completeMemories(query, ownerId, forms)
  await storeMissingBuiltInVectors(query, ownerId, incomplete)
}

/**
 * Completes memories that an earlier version wrote: their exact forms, their part in the statistics of
 * their author, and a missing vector. It runs again after each start, because a server of the earlier
 * version may have written more meanwhile.
 */
export const completionBackfill: Backfill = { name: 'memory completion', step, looksAgain: true }
