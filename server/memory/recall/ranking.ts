import { float, THREAD_SCORE } from './bm25.ts'
import { REACH } from './candidates.ts'

/** The share of its words that a memory counts, by where they stand: in the one before, and so on. */
const ONE_BEFORE = 0.6
const QUESTION_BEFORE = 1
const TWO_BEFORE = 0.3
const ONE_AFTER = 0.3
const TWO_AFTER = 0.1
/** How much of the score depends on how much of the question is covered. */
const COVERAGE = 0.8
/** What the best thread adds, as a share of the best memory's score. */
const THREAD_SHARE = 0.3
/** What the memory most like the question gets by a model, as a share of the same. */
const SEMANTIC_SHARE = 0.2
/** What having happened at a time that the question names adds, as a share of the same. */
const TIME_SHARE = 0.25
const DATE_FACTOR = 2
/** For the only author that the question names, and for the first of several. */
const AUTHOR_FACTOR = 1.5
const FIRST_AUTHOR_FACTOR = 1.2
const ANSWERS_FACTOR = 1.2
const ASKS_FACTOR = 0.8
/** How much longer memories gain over shorter ones at most. */
const LENGTH_SHARE = 0.4

/**
 * What the memories of the region are worth.
 *
 * - `lent`: each concept counts for a memory where it stands best, in itself or, for a share, in a
 *   neighbour
 * - `covered`: sums over concepts, less for what covers little of the question
 * - `threads`: BM25 of the tops of a thread taken together, relative to the best thread
 * - `scored`: what thread and time add, and the factors
 */
export const RANKING = `
threads as materialized (
  select thread_no, sum(${THREAD_SCORE}) as score
  from (
    select t.thread_no, h.concept, h.idf, sum(h.frequency)::float8 as frequency
    from tops t join region_hits h on h.seq = t.seq
    where t.thread_no <> 0 group by t.thread_no, h.concept, h.idf
  ) f
  group by thread_no
),
lent as materialized (
  select r.thread_no, r.position + reach.distance as position, h.concept, h.idf,
    max(h.score * case reach.distance
      when 0 then ${float(1)}
      when 1 then case when r.asks then ${float(QUESTION_BEFORE)} else ${float(ONE_BEFORE)} end
      when 2 then ${float(TWO_BEFORE)}
      when -1 then ${float(ONE_AFTER)}
      else ${float(TWO_AFTER)}
    end) as score
  from region_hits h join region r on r.seq = h.seq
  cross join generate_series(-${REACH}, ${REACH}) as reach(distance)
  group by 1, 2, 3, 4
),
covered as materialized (
  select thread_no, position, sum(score) as words,
    ${float(1 - COVERAGE)} + ${float(COVERAGE)} * sum(idf)
      / (select sum(idf) from (select distinct concept, idf from terms) c) as coverage
  from lent
  group by thread_no, position
),
best as materialized (
  select score, score * ${float(THREAD_SHARE)} / (select max(score) from threads) as per_thread_score
  from (select coalesce(max(words * coverage), 1) as score from covered) b
),
scored as materialized (
  select m.seq, coalesce(c.words, 0) as words, coalesce(c.coverage, 0) as coverage,
    coalesce(t.score * b.per_thread_score, 0) as thread,
    coalesce(n.likeness, 0) * ${float(SEMANTIC_SHARE)} * b.score as semantic,
    case when d.is_named then ${float(TIME_SHARE)} else 0 end * b.score as time,
    case when d.is_named then ${float(DATE_FACTOR)} else 1 end as date,
    case when a.is_alone then ${float(AUTHOR_FACTOR)}
      when a.author is not null then ${float(FIRST_AUTHOR_FACTOR)} else 1 end as author,
    case when m.follows_question then ${float(ANSWERS_FACTOR)} else 1 end
      * case when m.ends_asking then ${float(ASKS_FACTOR)} else 1 end as dialogue,
    ${float(1 - LENGTH_SHARE / 2)}
      + ${float(LENGTH_SHARE)} * m.size / (m.size + m.mean_size)::float8 as length
  from best b cross join region m cross join lateral (
    select exists (
      select from dates d
      where (d."from" is null or m.at >= d."from" and m.at < d."to")
        and (d.month is null or extract(month from m.at at time zone 'UTC') = d.month)
        and (d.day is null or extract(day from m.at at time zone 'UTC') = d.day)
    ) as is_named offset 0
  ) d
  left join covered c on c.thread_no = m.thread_no and c.position = m.position
  left join near n on n.seq = m.seq
  left join threads t on t.thread_no = m.thread_no
  left join named_author a on a.author = m.author and a.place = 1
  where m.is_allowed and (c.words is not null or n.seq is not null or d.is_named)
),
ranked as (
  select *, (words * coverage + thread + semantic + time) * author * dialogue * date * length as score
  from scored order by score desc, seq desc limit $3
)`
