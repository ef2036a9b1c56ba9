import type { Query } from '../../platform/db/database.ts'
import { type MemoryWithThread, memoryFromRow } from '../memories/store.ts'

/** Counting the memories of a word stops here: the word is common. */
const COMMON = 200
/** Bounds the candidates of memories that consist of common words ("Yes."); the latest count. */
const MAX_CANDIDATES = 500

/**
 * Possible duplicates: earlier memories of the same thread, type, author and agent, with the same number
 * of words and the same rarest word.
 */
const CANDIDATES = `
with one as materialized (
  select * from memories
  where owner_id = $1 and memory_id = $2 and deleted_at is null and superseded_by is null
),
words as materialized (
  select o.seq, w.lexeme, sum(cardinality(w.positions)) over () as length
  from one o, unnest(to_tsvector(o.language::regconfig, coalesce(o.search_text, o.content_text))) w
),
rarest as materialized (
  select w.lexeme, w.length
  from words w cross join lateral (
    select count(*) as df from (
      select from memory_postings where owner_id = $1 and term = w.lexeme limit ${COMMON}
    ) p
  ) d
  order by d.df, w.lexeme limit 1
),
candidates as materialized (
  select p.seq from one o cross join rarest r cross join lateral (
    select seq from memory_postings
    where owner_id = $1 and term = r.lexeme and length = r.length and seq < o.seq
    order by seq desc limit ${MAX_CANDIDATES}
  ) p
)
select m.*, null as thread
from one o cross join candidates c
cross join lateral (select * from memories where owner_id = $1 and seq = c.seq limit 1) m
where m.thread_no = o.thread_no and m.memory_type = o.memory_type
  and m.author is not distinct from o.author and m.agent_slug is not distinct from o.agent_slug
  and m.deleted_at is null and m.superseded_by is null
order by m.seq desc`

export const findSimilar = async (
  query: Query,
  ownerId: string,
  memoryId: string,
): Promise<MemoryWithThread[]> =>
  (await query<Record<string, unknown>>(CANDIDATES, [ownerId, memoryId])).map(memoryFromRow)
