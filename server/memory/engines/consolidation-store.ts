import type { Query } from '../../platform/db/database.ts'
import { type MemoryWithThread, memoryFromRow } from '../memories/store.ts'
import { termsOf } from '../memories/terms.ts'
import type { OwnerIndex } from '../recall/owner-index.ts'
import { EXACT_FORM_PREFIX, readTerms } from '../text/analyzer.ts'

/** Bounds the candidates of memories that consist of common words ("Yes."); the latest count. */
const MAX_CANDIDATES = 500

const CANDIDATES = `
select m.*, null as thread
from (select * from memories where owner_id = $1 and seq = $2 limit 1) o
cross join jsonb_array_elements_text($3::jsonb) as c(seq)
cross join lateral (select * from memories where owner_id = $1 and seq = c.seq::bigint limit 1) m
where m.thread_no = o.thread_no and m.memory_type = o.memory_type
  and m.author is not distinct from o.author and m.agent_slug is not distinct from o.agent_slug
  and m.deleted_at is null and m.superseded_by is null
order by m.seq desc`

/**
 * Possible duplicates: earlier memories of the same thread, type, author and agent, with the same number
 * of words and the same rarest word.
 */
export const findSimilar = async (
  query: Query,
  index: OwnerIndex,
  memory: MemoryWithThread,
): Promise<MemoryWithThread[]> => {
  const { ownerId, seq, terms, language, contentText: content } = memory
  const docs = docsLike(index, await termsOf({ terms, language, content }))
  const earlier = docs
    .map((doc) => index.seqs[doc] ?? 0)
    .filter((other) => other < seq)
    .sort((a, b) => b - a)
    .slice(0, MAX_CANDIDATES)
  if (earlier.length === 0) return []
  const rows = await query<Record<string, unknown>>(CANDIDATES, [
    ownerId,
    seq,
    JSON.stringify(earlier),
  ])
  return rows.map(memoryFromRow)
}

/** The live documents with the same number of words and the rarest word of these terms. */
const docsLike = (index: OwnerIndex, terms: string): number[] => {
  let rarest = ''
  let least = Number.POSITIVE_INFINITY
  const length = readTerms(terms, (term) => {
    const count = index.postings.countOf(term)
    if (count >= least || term.startsWith(EXACT_FORM_PREFIX)) return
    rarest = term
    least = count
  })
  return index.docsWith(rarest).filter((doc) => index.lengths[doc] === length)
}
