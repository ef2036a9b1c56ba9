import type { Database } from '../../server/platform/db/database.ts'

/** Postings of all memories in PostgreSQL, which what is measured is compared with. */
const INDEX = [
  'drop table if exists bench_postings, bench_lengths',
  `create table bench_postings as
  select m.owner_id, w.lexeme as term, m.seq, m.memory_id, cardinality(w.positions) as frequency,
    sum(cardinality(w.positions)) over (partition by m.owner_id, m.seq) as length
  from memories m, unnest(to_tsvector('english', m.content_text)) w
  where m.deleted_at is null and m.superseded_by is null`,
  'create index on bench_postings (owner_id, term) include (seq, memory_id, frequency, length)',
  `create table bench_lengths as
  select owner_id, count(distinct seq)::float8 as memories, sum(frequency)::float8 as words
  from bench_postings group by owner_id`,
  'vacuum (analyze) bench_postings, bench_lengths',
]

const PLAIN = `
with terms as materialized (
  select q.lexeme as term, l.words / l.memories as mean_length,
    ln(1 + (l.memories - d.df + 0.5::float8) / (d.df + 0.5::float8)) as idf
  from bench_lengths l, unnest(to_tsvector('english', $2)) q cross join lateral (
    select count(*) as df from bench_postings where owner_id = $1 and term = q.lexeme
  ) d
  where l.owner_id = $1
)
select p.memory_id, sum(t.idf * p.frequency * 2.2::float8
  / (p.frequency + 1.2::float8 * (0.25::float8 + 0.75::float8 * p.length / t.mean_length))) as score
from terms t join bench_postings p on p.owner_id = $1 and p.term = t.term
group by p.seq, p.memory_id order by score desc, p.seq limit $3`

/** Writes the postings of all memories that there are now. */
export const indexPlain = async ({ query }: Pick<Database, 'query'>): Promise<void> => {
  for (const statement of INDEX) await query(statement, [])
}

/** Plain BM25 with the constants of recall, in English, without exact forms, best first. Needs `indexPlain`. */
export const findPlain = (
  { query }: Pick<Database, 'query'>,
  ownerId: string,
  question: string,
  limit: number,
): Promise<{ memory_id: string }[]> => query(PLAIN, [ownerId, question, limit])
