import type { Backfill } from '../../platform/backfills/service.ts'
import type { Query } from '../../platform/db/database.ts'
import {
  completeMemories,
  FIRST_KEY,
  formatKey,
  listLabelsAfter,
  listMemoriesAfter,
  lockIncomplete,
  parseKey,
  storeFoldedLabels,
} from './backfill-store.ts'
import { foldedColumns } from './new-memory.ts'
import { languagesOn } from './store.ts'
import { withTerms } from './terms.ts'

/** Memories that a step reads, and that it completes at most. */
const READ_PAGE = 1_000
const COMPLETED_PAGE = 100

const completeNext = async (query: Query, position: string | null): Promise<string | null> => {
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
  const texts = incomplete.map(({ memoryId, contentText, language }) => ({
    memory_id: memoryId,
    content_text: contentText,
    languages: [language],
  }))
  await completeMemories(query, ownerId, await withTerms(languagesOn(query), ownerId, texts))
}

/**
 * Analyzes memories that an earlier version wrote. It runs again after each start, because a server of the earlier
 * version may have written more meanwhile.
 */
export const completionBackfill: Backfill = {
  name: 'memory completion',
  step: completeNext,
  repeatsAfterStart: true,
}

const foldLabelsOfNext = async (query: Query, position: string | null): Promise<string | null> => {
  const after = position ? parseKey(position) : FIRST_KEY
  const page = await listLabelsAfter(query, after, READ_PAGE)
  const folded = page.flatMap(({ ownerId, memoryId, tags, author }) => {
    const columns = foldedColumns(tags, author)
    const isFolded = !columns.folded_tags.length && columns.folded_author === null
    return isFolded ? [] : [{ owner_id: ownerId, memory_id: memoryId, tags, author, ...columns }]
  })
  if (folded.length) await storeFoldedLabels(query, folded)
  const last = page.at(-1)
  return last && page.length === READ_PAGE ? formatKey(last) : null
}

/** Folds the tags and authors of memories that an earlier version wrote. It is repeated for the reason above. */
export const labelBackfill: Backfill = {
  name: 'memory labels',
  step: foldLabelsOfNext,
  repeatsAfterStart: true,
}
