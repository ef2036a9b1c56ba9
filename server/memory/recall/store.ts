import { type Database, fromRow } from '../../platform/db/database.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { memories } from '../memories/table.ts'

/** BM25's saturation and length constants (Robertson & Zaragoza, 2009), chosen for short texts. */
const K1 = 0.9
const B = 0.4
/** How many of the best memories by their own words are looked at further. */
const CANDIDATES = 200
/** What a memory gets of its neighbours' BM25, by their distance in the thread. */
const BEFORE = [0.6, 0.2]
const AFTER = [0.4, 0.1]
/** What the best thread adds, as a share of the best memory's BM25. */
const THREAD_SHARE = 0.3
/** For memories of an author whom the question names. */
const AUTHOR_FACTOR = 1.3
/** For memories of so few words that they can hardly be an answer. */
const SHORT_WORDS = 4
const SHORT_FACTOR = 0.7

export interface RecallFilter {
  memoryType?: string | undefined
  tags?: string[] | undefined
  thread?: string | undefined
  author?: string | undefined
  agentSlug?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export interface ScoredMemory {
  memory: MemoryWithThread
  score: number
  words: number
  neighbours: number
  thread: number
  author: number
  length: number
}

const float = (n: number) => `${n}::float8`
const weights = (values: number[]) => `(array[${values.join(', ')}]::float8[])[neighbour.distance]`

/** The nearest memories of a candidate's thread on one side, with their distance. */
const neighbours = (side: '<' | '>', order: 'asc' | 'desc', shares: number[]) => `
  select neighbour.seq, 0::float8 as own, c.own * ${weights(shares)} as lent
  from candidates c cross join lateral (
    select n.seq, row_number() over (order by n.position ${order}, n.seq ${order}) as distance
    from (
      select seq, position from memories
      where owner_id = $1 and thread_no = c.thread_no
        and (position, seq) ${side} (c.position, c.seq) and deleted_at is null
      order by position ${order}, seq ${order} limit ${shares.length}
    ) n
  ) neighbour
  where c.thread_no <> 0`

/**
 * Exact BM25 over the postings, and what the structure of conversations adds to it, in one
 * statement. Steps, in order:
 * - `terms`: the question's stems with their idf among the owner's memories;
 * - `hits`: their postings; `turns`: the best memories by their own BM25;
 * - `spread`: each lends a share to its neighbours in the thread, because an answer follows its
 *   question, and a story runs over several turns;
 * - `threads`: the BM25 of the candidates' whole threads, relative to the best of them;
 * - memories of an author whom the question names count more, those of hardly any words less.
 *
 * Written in double precision throughout: PostgreSQL's numeric is three times slower here.
 */
const recallQuery = (conditions: string): string => `
with question as materialized (
  select lexeme as term from unnest(to_tsvector('english', $2))
),
${
  conditions &&
  `allowed as materialized (
  select m.seq from memories m where m.owner_id = $1 and m.deleted_at is null ${conditions}
),`
}
stats as materialized (
  select memory_count::float8 as n, greatest(word_count, 1)::float8 / memory_count as mean_length,
    greatest(word_count, 1)::float8 / greatest(thread_count, 1) as mean_thread_length
  from memory_stats where owner_id = $1 and memory_count > 0
),
terms as materialized (
  select row_number() over ()::int as term_no, q.term, s.mean_length, s.mean_thread_length,
    ln(1 + (s.n - d.df + 0.5::float8) / (d.df + 0.5::float8)) * ${float(K1 + 1)} as idf,
    ${float(K1 * B)} / s.mean_length as per_word
  from stats s, question q cross join lateral (
    select count(*) as df from memory_postings where owner_id = $1 and term = q.term
  ) d
  where d.df > 0
),
hits as materialized (
  select t.term_no, t.idf, p.seq, p.thread_no, p.frequency,
    t.idf * p.frequency / (p.frequency + ${float(K1 * (1 - B))} + t.per_word * p.length) as bm25
  from terms t join memory_postings p on p.owner_id = $1 and p.term = t.term
  ${conditions && 'where p.seq in (select seq from allowed)'}
),
turns as materialized (
  select seq, sum(bm25) as own from hits group by seq order by own desc limit ${CANDIDATES}
),
candidates as materialized (
  select m.seq, m.thread_no, m.position, t.own
  from turns t join memories m on m.owner_id = $1 and m.seq = t.seq
),
spread as materialized (
  select seq, sum(own) as own, sum(lent) as lent from (
    select seq, own, 0::float8 as lent from candidates
    union all ${neighbours('<', 'desc', AFTER)}
    union all ${neighbours('>', 'asc', BEFORE)}
  ) shares group by seq
),
threads as materialized (
  select h.thread_no, sum(h.idf * h.frequency / (h.frequency + ${float(K1 * (1 - B))}
    + ${float(K1 * B)} * t.word_count / (select mean_thread_length from terms limit 1))) as score
  from (
    select thread_no, term_no, idf, sum(frequency)::float8 as frequency
    from hits where thread_no in (select thread_no from candidates where thread_no <> 0)
    group by thread_no, term_no, idf
  ) h
  join memory_threads t on t.owner_id = $1 and t.thread_no = h.thread_no
  group by h.thread_no
),
best as materialized (
  select (select max(own) from turns) * ${float(THREAD_SHARE)}
    / nullif((select max(score) from threads), 0) as per_thread_score
),
authors as materialized (
  select author from (
    select distinct m.author from spread s
    join memories m on m.owner_id = $1 and m.seq = s.seq where m.author is not null
  ) a
  where exists (
    select from unnest(to_tsvector('english', a.author)) w join question q on q.term = w.lexeme
  )
),
scored as (
  select m.seq, m.thread_no, s.own as words, s.lent as neighbours,
    coalesce(t.score * b.per_thread_score, 0) as thread,
    case when m.author in (select author from authors) then ${float(AUTHOR_FACTOR)} else 1 end as author,
    case when m.word_count < ${SHORT_WORDS} then ${float(SHORT_FACTOR)} else 1 end as length
  from spread s
  join memories m on m.owner_id = $1 and m.seq = s.seq and m.deleted_at is null
    ${conditions}
  cross join best b
  left join threads t on t.thread_no = m.thread_no
),
ranked as (
  select *, (words + neighbours) * author * length + thread as score
  from scored order by score desc, seq desc limit $3
)
select r.score, r.words, r.neighbours, r.thread as thread_score, r.author as author_factor,
  r.length as length_factor, t.thread, m.*
from ranked r
join memories m on m.owner_id = $1 and m.seq = r.seq
left join memory_threads t on t.owner_id = $1 and t.thread_no = r.thread_no
order by r.score desc, r.seq desc`

/** The filter as conditions on \`m\`, their values numbered from $4 on. */
const conditionsOf = (filter: RecallFilter): { sql: string; values: unknown[] } => {
  const values: unknown[] = []
  const clauses: string[] = []
  const add = (value: unknown, clause: (placeholder: string) => string) => {
    if (value === undefined) return
    values.push(value)
    clauses.push(`and ${clause(`$${values.length + 3}`)}`)
  }
  add(filter.memoryType, (p) => `m.memory_type = ${p}`)
  add(
    filter.tags && JSON.stringify(filter.tags),
    (p) => `m.tags @> array(select jsonb_array_elements_text(${p}::jsonb))`,
  )
  add(
    filter.thread,
    (p) =>
      `m.thread_no = (select thread_no from memory_threads where owner_id = $1 and thread = ${p})`,
  )
  add(filter.author, (p) => `m.author = ${p}`)
  add(filter.agentSlug, (p) => `m.agent_slug = ${p}`)
  add(filter.since, (p) => `coalesce(m.occurred_at, m.created_at) >= ${p}::timestamptz`)
  add(filter.until, (p) => `coalesce(m.occurred_at, m.created_at) < ${p}::timestamptz`)
  return { sql: clauses.join(' '), values }
}

/** The best memories for a question, best first, in one round trip. */
export const recallMemories = async (
  database: Database,
  ownerId: string,
  question: string,
  limit: number,
  filter: RecallFilter,
): Promise<ScoredMemory[]> => {
  const { sql, values } = conditionsOf(filter)
  const rows = await database.query(recallQuery(sql), [ownerId, question, limit, ...values])
  return rows.map((row) => ({
    memory: { ...fromRow(memories, row), thread: row.thread as string | null },
    score: Number(row.score),
    words: Number(row.words),
    neighbours: Number(row.neighbours),
    thread: Number(row.thread_score),
    author: Number(row.author_factor),
    length: Number(row.length_factor),
  }))
}
