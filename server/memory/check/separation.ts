import type { Backfill } from '../../platform/backfills/service.ts'
import type { Query } from '../../platform/db/database.ts'
import { FIRST_KEY, formatKey, parseKey } from '../memories/memory-key.ts'
import { limitLookahead } from '../text/lookahead.ts'
import { listParsedTexts, storeSearchTexts } from './separation-store.ts'
import { rewritePostings, rewriteStats } from './store.ts'

const PAGE = 100

const step = async (query: Query, position: string | null): Promise<string | null> => {
  const page = await listParsedTexts(query, position ? parseKey(position) : FIRST_KEY, PAGE)
  const separated = page
    .map((memory) => ({ ...memory, search_text: limitLookahead(memory.text) }))
    .filter(({ text, search_text }) => text !== search_text)
  for (const [ownerId, owned] of Map.groupBy(separated, (memory) => memory.ownerId)) {
    const texts = owned.map(({ seq, text, search_text }) => ({ seq, text, search_text }))
    await storeSearchTexts(query, ownerId, texts)
    await rewritePostings(
      query,
      ownerId,
      owned.map(({ seq }) => seq),
    )
    await rewriteStats(query, ownerId)
  }
  const last = page.at(-1)
  return last && page.length === PAGE ? formatKey(last) : null
}

/**
 * Separates the texts of memories that an earlier version wrote. Otherwise a change or deletion of one
 * would parse its text in quadratic time.
 */
export const separationBackfill: Backfill = { name: 'memory texts without spaces', step }
