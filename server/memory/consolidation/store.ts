import type { Query } from '../../platform/db/database.ts'
import { type MemoryWithThread, withName } from '../memories/store.ts'

/** A word in so many memories is common; how common need not be counted. */
const COMMON = 200
/** Of memories made of common words alone ("Yes.") so many of the latest are looked at. */
const MAX_CANDIDATES = 500

/**
 * Earlier memories beside `memory`, in its thread and of its kind, author and agent, that have as many
 * words and the rarest of them in common: what may say the same.
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
alike as materialized (
  select p.seq from one o cross join rarest r cross join lateral (
    select seq from memory_postings
    where owner_id = $1 and term = r.lexeme and length = r.length and seq < o.seq
    order by seq desc limit ${MAX_CANDIDATES}
  ) p
)
select m.*, null as thread
from one o cross join alike a
cross join lateral (select * from memories where owner_id = $1 and seq = a.seq limit 1) m
where m.thread_no = o.thread_no and m.memory_type = o.memory_type
  and m.author is not distinct from o.author and m.agent_slug is not distinct from o.agent_slug
  and m.deleted_at is null and m.superseded_by is null
order by m.seq desc`

export const findAlike = async (
  query: Query,
  ownerId: string,
  memoryId: string,
): Promise<MemoryWithThread[]> =>
  (await query<Record<string, unknown>>(CANDIDATES, [ownerId, memoryId])).map(withName)
