import { type FilterConditions, TRUST_RANK } from './filter-store.ts'
import { POSTING_SCORE } from './query-terms-store.ts'
import { CONTEXT_DISTANCE } from './term-scores.ts'

/**
 * For each candidate asked for: a term in more memories than this is looked up for each candidate; the
 * postings of a rarer term are read as a whole once more.
 */
const LOOKUP_DF_PER_CANDIDATE = 25

type Conditions = Pick<FilterConditions, 'live' | 'filters'>

const HAPPENED = 'coalesce(m.occurred_at, m.created_at)'
const MEMORY_COLUMNS = `m.seq, m.thread_no, m.position, m.asks, m.ends_asking, m.author, ${HAPPENED} as at,
      octet_length(m.content_text) as bytes, m.superseded_by is null as is_live`
/** A memory without a thread is a thread of its own, with a negative number. */
const PLACED_COLUMNS = `case when thread_no = 0 then -seq else thread_no end as thread_no,
      case when thread_no = 0 then 0 else position end as position, asks, ends_asking, author, at,
      bytes, is_live`

/**
 * CTEs that find the candidates and their postings, after `queryTermCtes`.
 *
 * - `top_matches`: the best by BM25 of their own terms, and the nearest by vector
 * - `dated`: memories of a time that the question names
 * - `fact_sources`: the memories that state the facts that the question asks for, latest first; imported ones
 *   come last
 * - `candidates`: all of these, with the neighbours of the top matches in their threads
 * - `thread_ends`: the last positions of their threads that have a memory
 * - `candidate_postings`: the query terms in the candidates
 * - `author_stats`: statistics of the candidates' authors
 *
 * A lookup for each row is a lateral join with a limit or an offset: so it stays one, however many rows
 * the planner expects.
 *
 * Parameters: `:ownerId`, `:dates`, `:vectorMatches`, `:factSubjects` and `:factKeys` (JSON arrays),
 * `:timezone`, and those of the filter.
 */
export const candidateCtes = (
  { live, filters }: Conditions,
  postings: string,
  limit: number,
): string => `
date_mentions as materialized (
  select * from jsonb_to_recordset(:dates::jsonb) as d("from" timestamptz, "to" timestamptz, month int, day int)
),
vector_matches as materialized (
  select value::bigint as seq from jsonb_array_elements_text(:vectorMatches::jsonb)
),
${
  filters &&
  `filtered as materialized (
  select m.seq from memories m where m.owner_id = :ownerId and m.deleted_at is null ${live} ${filters}
),`
}
${topMatches({ live, filters }, postings, limit)},
dated as materialized (
  select m.*
  from date_mentions d cross join lateral (
    select ${MEMORY_COLUMNS} from memories m
    where m.owner_id = :ownerId and ${HAPPENED} >= d."from" and ${HAPPENED} < d."to"
      and m.deleted_at is null ${live} ${filters}
    order by ${HAPPENED}, m.seq limit ${limit}
  ) m
  limit ${limit}
),
${factSources({ live, filters }, limit)},
candidates as materialized (
  -- The first condition is evaluated once: most questions name no time.
  select c.*, exists (select from date_mentions) and exists (
    select from date_mentions d
    where (d."from" is null or at >= d."from") and (d."to" is null or at < d."to")
      and (d.month is null or extract(month from at at time zone :timezone) = d.month)
      and (d.day is null or extract(day from at at time zone :timezone) = d.day)
  ) as is_at_named_time
  from (
    select distinct on (seq) * from (
      select n.*
      from top_matches t cross join lateral (
        select ${MEMORY_COLUMNS}, true ${live} ${filters} as passes_filter
        from memories m
        where m.owner_id = :ownerId and m.thread_no = t.thread_no and m.deleted_at is null
          and m.position between t.position - ${CONTEXT_DISTANCE} and t.position + ${CONTEXT_DISTANCE}
        offset 0
      ) n
      where t.thread_no <> 0
      union all
      select seq, ${PLACED_COLUMNS}, passes_filter from top_matches
      where thread_no = 0
      union all
      select seq, ${PLACED_COLUMNS}, true from dated
      union all
      select seq, ${PLACED_COLUMNS}, true from fact_sources
    ) found order by seq
  ) c
),
thread_ends as materialized (
  select t.*
  from (select distinct thread_no from candidates where thread_no > 0) c cross join lateral (
    select thread_no, position as last_position from memories
    where owner_id = :ownerId and thread_no = c.thread_no and deleted_at is null
    order by position desc, seq desc limit 1
  ) t
),
${candidatePostings(postings, limit * LOOKUP_DF_PER_CANDIDATE)},
author_stats as materialized (
  select s.*
  from (select distinct coalesce(author, '') as author from candidates) c cross join lateral (
    select author, byte_count::float8 / memory_count as mean_bytes,
      question_count::float8 / memory_count as question_share,
      answer_count::float8 / memory_count as answer_share
    from memory_author_stats s
    where owner_id = :ownerId and s.author = c.author and memory_count > 0 limit 1
  ) s
)`

const topMatches = ({ live, filters }: Conditions, postings: string, limit: number): string => `
top_matches as materialized (
  select m.*
  from (
    (
      select p.seq
      from weighted_terms t cross join lateral (
        select seq, frequency, length from ${postings} p
        where owner_id = :ownerId and term = t.term offset 0
      ) p
      ${filters && 'where p.seq in (select seq from filtered)'}
      group by p.seq order by sum(${POSTING_SCORE}) desc, p.seq limit ${limit}
    )
    union select seq from vector_matches
  ) t
  cross join lateral (
    select ${MEMORY_COLUMNS}, m.deleted_at is null ${live} ${filters} as passes_filter
    from memories m where m.owner_id = :ownerId and m.seq = t.seq limit 1
  ) m
)`

export const factSources = ({ live, filters }: Conditions, limit: number): string => `
fact_sources as materialized (
  select m.*, s.rank
  from (
    select seq, min(rank) as rank
    from (
      select m.seq, rank() over (
        partition by f.subject, f.key
        order by ${TRUST_RANK},
          coalesce(m.valid_from, m.occurred_at, m.created_at) desc, m.seq desc
      ) as rank
      from memory_facts f cross join lateral (
        select seq, user_id, trust, valid_from, occurred_at, created_at from memories m
        where m.owner_id = :ownerId and m.memory_id = f.memory_id
          and m.deleted_at is null ${live} ${filters} limit 1
      ) m
      where f.owner_id = :ownerId
        and f.subject in (select jsonb_array_elements_text(:factSubjects::jsonb))
        and f.key like any (array(select jsonb_array_elements_text(:factKeys::jsonb)))
        -- Another member's "I" is not the caller.
        and (f.subject <> 'self' or m.user_id = :userId) and m.trust <> 'external'
    ) f
    group by seq order by 2, seq desc limit ${limit}
  ) s
  cross join lateral (
    select ${MEMORY_COLUMNS} from memories m
    where m.owner_id = :ownerId and m.seq = s.seq limit 1
  ) m
)`

const candidatePostings = (postings: string, lookupDf: number): string => `
candidate_postings as materialized (
  select t.query_term, p.seq, p.frequency, ${POSTING_SCORE} as score
  from weighted_terms t cross join lateral (
    -- "is true" keeps this a lookup in a hash table.
    select seq, frequency, length from ${postings} p
    where owner_id = :ownerId and term = t.term and t.df < ${lookupDf}
      and (seq in (select seq from candidates where passes_filter)) is true
    union all
    select c.seq, p.frequency, p.length
    from candidates c cross join lateral (
      select frequency, length from ${postings} p
      where owner_id = :ownerId and term = t.term and seq = c.seq limit 1
    ) p
    where c.passes_filter and t.df >= ${lookupDf}
  ) p
)`
