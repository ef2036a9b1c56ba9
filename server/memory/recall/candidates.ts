import { POSTING_SCORE } from './bm25.ts'
import type { Scope } from './scope.ts'

/** How far a memory's words reach along its thread, in places. */
export const REACH = 2
/**
 * A word that stands in more memories than this, for each candidate, is looked up in the memories of
 * the region one by one; the postings of a rarer one are read once more.
 */
const LOOKED_UP_PER_CANDIDATE = 25

const HAPPENED = 'coalesce(m.occurred_at, m.created_at)'
const PLACED = `m.seq, m.thread_no, m.position, m.asks, m.ends_asking, m.author, ${HAPPENED} as at,
      octet_length(m.content_text) as size`
/** A memory without a thread is a thread of its own, with a negative number. */
const PLACE = `case when thread_no = 0 then -seq else thread_no end as thread_no,
      case when thread_no = 0 then 0 else position end as position`

/**
 * The memories that are looked at, and the words in them, as CTEs.
 *
 * - `tops`: the best by their own BM25, and those that a model finds like the question ($6)
 * - `timely`: what happened at a time ($4) that the question names, whatever its words are
 * - `region`: both, with what stands around the tops in their threads
 * - `region_hits`: their postings
 *
 * A lookup for each row is a lateral join with a limit or an offset: it stays one, whatever number
 * of rows the planner expects.
 */
export const candidatesOf = (
  { live, filters }: Pick<Scope, 'live' | 'filters'>,
  postings: string,
  candidates: number,
): string => `
dates as materialized (
  select * from jsonb_to_recordset($4::jsonb) as d("from" timestamptz, "to" timestamptz, month int, day int)
),
near as materialized (
  select seq, case when least_similarity = best_similarity then 1
      else (similarity - least_similarity) / (best_similarity - least_similarity) end as likeness
  from (
    select seq, similarity, max(similarity) over () as best_similarity,
      min(similarity) over () as least_similarity
    from jsonb_to_recordset($6::jsonb) as n(seq bigint, similarity float8)
  ) n
),
${
  filters &&
  `allowed as materialized (
  select m.seq from memories m where m.owner_id = $1 and m.deleted_at is null ${live} ${filters}
),`
}
tops as materialized (
  select m.*
  from (
    (
      select p.seq
      from terms t cross join lateral (
        select seq, frequency, length from ${postings} p
        where owner_id = $1 and term = t.term offset 0
      ) p
      ${filters && 'where p.seq in (select seq from allowed)'}
      group by p.seq order by sum(${POSTING_SCORE}) desc, p.seq limit ${candidates}
    )
    union select seq from near
  ) t
  cross join lateral (
    select ${PLACED}, m.deleted_at is null ${live} ${filters} as is_allowed
    from memories m where m.owner_id = $1 and m.seq = t.seq limit 1
  ) m
),
timely as materialized (
  select m.*
  from dates d cross join lateral (
    select ${PLACED} from memories m
    where m.owner_id = $1 and ${HAPPENED} >= d."from" and ${HAPPENED} < d."to"
      and m.deleted_at is null ${live} ${filters}
    order by ${HAPPENED}, m.seq limit ${candidates}
  ) m
  limit ${candidates}
),
region as materialized (
  select *, lag(asks) over thread and lag(position) over thread = position - 1 as follows_question,
    avg(size) over () as mean_size
  from (
    select n.*
    from tops t cross join lateral (
      select ${PLACED}, true ${live} ${filters} as is_allowed
      from memories m
      where m.owner_id = $1 and m.thread_no = t.thread_no and m.deleted_at is null
        and m.position between t.position - ${REACH} and t.position + ${REACH}
      offset 0
    ) n
    where t.thread_no <> 0
    union
    select seq, ${PLACE}, asks, ends_asking, author, at, size, is_allowed from tops
    where thread_no = 0
    union
    select seq, ${PLACE}, asks, ends_asking, author, at, size, true from timely
  ) around
  window thread as (partition by thread_no order by position)
),
region_hits as materialized (
  select t.concept, t.idf, p.seq, p.frequency, ${POSTING_SCORE} as score
  from terms t cross join lateral (
    -- "is true" keeps this a lookup in a hash table.
    select seq, frequency, length from ${postings} p
    where owner_id = $1 and term = t.term and t.df < ${candidates * LOOKED_UP_PER_CANDIDATE}
      and (seq in (select seq from region where is_allowed)) is true
    union all
    select r.seq, p.frequency, p.length
    from region r cross join lateral (
      select frequency, length from ${postings} p
      where owner_id = $1 and term = t.term and seq = r.seq limit 1
    ) p
    where r.is_allowed and t.df >= ${candidates * LOOKED_UP_PER_CANDIDATE}
  ) p
)`
