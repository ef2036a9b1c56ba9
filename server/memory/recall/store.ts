import { type Database, fromRow } from '../../platform/db/database.ts'
import { languageOf, MAIN_LANGUAGE } from '../memories/insert.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { memories } from '../memories/table.ts'
import type { DateMention } from './dates.ts'
import { type RecallFilter, type Scope, scopeOf } from './scope.ts'

/** BM25's saturation and length constants (Robertson & Zaragoza, 2009, section 3.2). */
const K1 = 1.2
const B = 0.75
/**
 * How many of the best memories by their own words are looked at further, for the number asked for:
 * few sizes, so that few plans are kept.
 */
const CANDIDATES = [40, 100, 200, 400]
const CANDIDATES_PER_RESULT = 4
/** How far a memory's words reach along its thread, in places. */
const REACH = 2
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
/** What the memory most like the question gets by a model, as a share of the best memory's score. */
const SEMANTIC_SHARE = 0.3
const AUTHOR_FACTOR = 1.5
const ANSWERS_FACTOR = 1.2
const ASKS_FACTOR = 0.8
const DATE_FACTOR = 2

export interface ScoredMemory {
  memory: MemoryWithThread
  score: number
  words: number
  coverage: number
  thread: number
  semantic: number
  author: number
  dialogue: number
  date: number
}

const float = (n: number) => `${n}::float8`
const bm25 = (idf: string, frequency: string, norm: string) =>
  `${idf} * ${float(K1 + 1)} * ${frequency} / (${frequency} + ${norm})`

/**
 * Exact BM25 over the postings, and what the structure of conversations adds to it, in one
 * statement. Written in double precision throughout: PostgreSQL's numeric is three times slower.
 *
 * - `concepts`: the question's stems, without the names of authors; `forms`: what else each may stand
 *   as (go, went), and its stems in the other languages of the owner's memories, which share one idf
 * - `hits`: their postings; `tops`: the best memories by their own BM25
 * - `region`: the tops with what stands around them in their threads; `lent`: each concept counts
 *   for a memory where it stands best, in itself or, for a share, in a neighbour
 * - `covered`: sums over concepts, less for what covers little of the question
 * - `threads`: BM25 of the tops of a thread taken together, relative to the best thread
 * - `scored`: factors for the named author, for what answers a question rather than asks one, and
 *   for what happened at a time that the question names
 */
const recallQuery = ({ live, filters, postings, candidates, hasNear }: Shape): string => `
with stats as materialized (
  select greatest(memory_count, 1)::float8 as n,
    greatest(word_count, 1)::float8 / greatest(memory_count, 1) as mean_length, languages
  from memory_stats where owner_id = $1
),
main_language as materialized (${MAIN_LANGUAGE}),
asked_in as materialized (
  select ${languageOf('l.likely', 'm.language')} as language
  from main_language m cross join (
    select array(
      select l from jsonb_array_elements_text($5::jsonb) l where (select languages from stats) ? l
    ) as likely
  ) l
),
words as materialized (
  select l.language, w.lexeme as term, w.positions
  from stats cross join jsonb_object_keys(languages) as l(language)
  cross join unnest(to_tsvector(l.language::regconfig, $2)) w
),
asked_words as materialized (
  select term, positions from words where language = (select language from asked_in)
),
question as materialized (
  select * from asked_words
  union all
  select term, positions from words where not exists (select from asked_words)
),
named as materialized (
  select a.author, w.positions
  from unnest(to_tsvector('simple', $2)) w join memory_authors a on a.owner_id = $1 and a.term = w.lexeme
  where exists (select from question q where q.positions && w.positions)
),
other_words as materialized (
  select term, positions from question q
  where not exists (select from named n where n.positions && q.positions)
),
concepts as materialized (
  select row_number() over ()::int as concept, term, positions from (
    select * from other_words
    union all
    select * from question where not exists (select from other_words)
  ) q
),
dates as materialized (
  select * from jsonb_to_recordset($4::jsonb) as d("from" timestamptz, "to" timestamptz, month int, day int)
),
forms as materialized (
  select concept, term from concepts
  union
  select c.concept, f.form from concepts c cross join asked_in a
  join word_forms f on f.language = a.language and f.term = c.term
  union
  select c.concept, w.term from words w join concepts c on c.positions && w.positions
),
terms as materialized (
  select concept, term, norm_per_word,
    ln(1 + (n - least(n, df) + 0.5::float8) / (least(n, df) + 0.5::float8)) as idf
  from (
    select f.concept, f.term, s.n, ${float(K1 * B)} / s.mean_length as norm_per_word,
      d.df > 0 as occurs, sum(d.df) over (partition by f.concept) as df
    from stats s, forms f cross join lateral (
      select count(*)::float8 as df from ${postings} d where owner_id = $1 and term = f.term
    ) d
  ) counted
  where occurs
),
${
  filters &&
  `allowed as materialized (
  select m.seq from memories m where m.owner_id = $1 and m.deleted_at is null ${live} ${filters}
),`
}
hits as materialized (
  select t.concept, t.idf, p.seq, p.frequency,
    ${bm25('t.idf', 'p.frequency', `(${float(K1 * (1 - B))} + t.norm_per_word * p.length)`)} as score
  -- A lookup for each, whatever the planner expects of their number.
  from terms t cross join lateral (
    select seq, frequency, length from ${postings} p where owner_id = $1 and term = t.term offset 0
  ) p
  ${filters && 'where p.seq in (select seq from allowed)'}
),
${
  hasNear
    ? `near as materialized (
  select seq, case when least_similarity = best_similarity then 1
      else (similarity - least_similarity) / (best_similarity - least_similarity) end as likeness
  from (
    select seq, similarity, max(similarity) over () as best_similarity,
      min(similarity) over () as least_similarity
    from jsonb_to_recordset($6::jsonb) as n(seq bigint, similarity float8)
  ) n
),`
    : ''
}
tops as materialized (
  select m.*
  from (
    (select seq from hits group by seq order by sum(score) desc, seq limit ${candidates})
    ${hasNear ? 'union select seq from near' : ''}
  ) t
  cross join lateral (
    select m.seq, m.thread_no, m.position, m.ends_asking, m.author,
      coalesce(m.occurred_at, m.created_at) as at, m.deleted_at is null ${live} ${filters} as is_allowed
    from memories m where m.owner_id = $1 and m.seq = t.seq limit 1
  ) m
),
threads as materialized (
  select thread_no, sum(${bm25('idf', 'frequency', float(K1))}) as score
  from (
    select t.thread_no, h.concept, h.idf, sum(h.frequency)::float8 as frequency
    from tops t join hits h on h.seq = t.seq
    where t.thread_no <> 0 group by t.thread_no, h.concept, h.idf
  ) f
  group by thread_no
),
region as materialized (
  select seq, thread_no, position, asks, ends_asking, author, at, is_allowed,
    lag(asks) over thread and lag(position) over thread = position - 1 as follows_question
  from (
    select distinct on (t.thread_no, n.position, n.seq) n.*, t.thread_no
    from tops t cross join lateral (
      select m.seq, m.position, m.asks, m.ends_asking, m.author,
        coalesce(m.occurred_at, m.created_at) as at, true ${live} ${filters} as is_allowed
      from memories m
      where m.owner_id = $1 and m.thread_no = t.thread_no and m.deleted_at is null
        and m.position between t.position - ${REACH} and t.position + ${REACH}
      offset 0
    ) n
    where t.thread_no <> 0
    order by t.thread_no, n.position, n.seq
  ) around
  window thread as (partition by thread_no order by position)
  union all
  select seq, -seq, 0, false, ends_asking, author, at, is_allowed, false from tops where thread_no = 0
),
region_hits as materialized (
  -- "is true" keeps this a lookup in a hash table, whatever the planner expects of the sizes.
  select concept, idf, seq, score from hits where (seq in (select seq from region)) is true
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
    ${float(1 - COVERAGE)} + ${float(COVERAGE)} * sum(idf) / (select sum(idf) from (select distinct concept, idf from terms) c) as coverage
  from lent
  group by thread_no, position
),
best as materialized (
  select words, words * ${float(THREAD_SHARE)} / (select max(score) from threads) as per_thread_score
  from (select max(words * coverage) as words from covered) c
),
named_author as materialized (
  select min(author) as author from named having count(distinct author) = 1
),
scored as (
  select m.seq, ${hasNear ? 'coalesce(c.words, 0) as words, coalesce(c.coverage, 0) as coverage' : 'c.words, c.coverage'},
    coalesce(t.score * (select per_thread_score from best), 0) as thread,
    ${hasNear ? `coalesce(n.likeness, 0) * ${float(SEMANTIC_SHARE)} * coalesce((select words from best), 1)` : float(0)} as semantic,
    case when m.author = (select author from named_author) then ${float(AUTHOR_FACTOR)} else 1 end as author,
    case when m.follows_question then ${float(ANSWERS_FACTOR)} else 1 end
      * case when m.ends_asking then ${float(ASKS_FACTOR)} else 1 end as dialogue,
    case when exists (
      select from dates d
      where (d."from" is null or m.at between d."from" and d."to")
        and (d.month is null or extract(month from m.at at time zone 'UTC') = d.month)
        and (d.day is null or extract(day from m.at at time zone 'UTC') = d.day)
    ) then ${float(DATE_FACTOR)} else 1 end as date
  ${
    hasNear
      ? `from region m
  left join covered c on c.thread_no = m.thread_no and c.position = m.position
  left join near n on n.seq = m.seq`
      : `from covered c join region m on m.thread_no = c.thread_no and m.position = c.position`
  }
  left join threads t on t.thread_no = m.thread_no
  where m.is_allowed${hasNear ? ' and (c.words is not null or n.seq is not null)' : ''}
),
ranked as (
  select *, (words * coverage + thread + semantic) * author * dialogue * date as score
  from scored order by score desc, seq desc limit $3
)
select r.score, r.words, r.coverage, r.thread as thread_score, r.author as author_factor,
  r.dialogue, r.date, r.semantic, t.thread, m.*
from ranked r
cross join lateral (select * from memories where owner_id = $1 and seq = r.seq limit 1) m
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
order by r.score desc, r.seq desc`

/** What a statement is made for. */
interface Shape extends Omit<Scope, 'values'> {
  /** Where the postings are. */
  postings: string
  candidates: number
  /** Whether memories come with it that a model finds like the question. */
  hasNear: boolean
}

const EVER = '(select * from memory_postings union all select * from memory_past_postings)'

/** A memory that a model finds like the question. */
export interface Near {
  seq: number
  /** The cosine of their vectors. */
  similarity: number
}

export interface Question {
  text: string
  /** The configurations whose language it may be in, the likeliest first. */
  languages: string[]
  /** The times it names. */
  dates: DateMention[]
  limit: number
}

/** The best memories for a question, best first, in one round trip. */
export const recallMemories = async (
  database: Database,
  ownerId: string,
  question: Question,
  filter: RecallFilter,
  near: Near[] = [],
): Promise<ScoredMemory[]> => {
  const hasNear = near.length > 0
  const { values, ...scope } = scopeOf(filter, hasNear ? 7 : 6)
  const wanted = question.limit * CANDIDATES_PER_RESULT
  const candidates = CANDIDATES.find((size) => size >= wanted) ?? wanted
  const shape = {
    ...scope,
    postings: filter.asOf ? EVER : 'memory_postings',
    candidates,
    hasNear,
  }
  const rows = await database.query(recallQuery(shape), [
    ownerId,
    question.text,
    question.limit,
    JSON.stringify(question.dates),
    JSON.stringify(question.languages),
    ...(hasNear ? [JSON.stringify(near)] : []),
    ...values,
  ])
  return rows.map((row) => ({
    memory: { ...fromRow(memories, row), thread: row.thread as string | null },
    score: Number(row.score),
    words: Number(row.words),
    coverage: Number(row.coverage),
    thread: Number(row.thread_score),
    semantic: Number(row.semantic),
    author: Number(row.author_factor),
    dialogue: Number(row.dialogue),
    date: Number(row.date),
  }))
}
