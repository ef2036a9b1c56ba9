import { languageOf, MAIN_LANGUAGE } from '../memories/language.ts'
import { idf, normPerWord } from './bm25.ts'

/**
 * In how many of the languages of the owner's memories a question is read at most: those that it may
 * be in, and then the commonest.
 */
const MAX_LANGUAGES = 8

/**
 * What the question ($2) asks about, in the languages ($5) that it may be in, as CTEs.
 *
 * - `named_author`: whom it names first, and whether it names nobody else
 * - `concepts`: its stems, without the names of authors; `forms`: what else each may stand as (go,
 *   went), and its stems in the other languages of the owner's memories
 * - `terms`: the forms that occur; those of a concept share one idf
 */
export const wordsOf = (postings: string): string => `
stats as materialized (
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
  from (
    select key as language from stats, jsonb_each_text(languages)
    order by $5::jsonb ? key desc, value::bigint desc, key limit ${MAX_LANGUAGES}
  ) l cross join unnest(to_tsvector(l.language::regconfig, $2)) w
),
asked_words as materialized (
  select term, positions from words where language = (select language from asked_in)
),
question as materialized (
  -- Written as an equality: the planner then expects few rows of it and of all that follows.
  select term, positions from words
  where language = case when exists (select from asked_words)
    then (select language from asked_in) else language end
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
named_author as materialized (
  select author, count(*) over () = 1 as is_alone, rank() over (order by first) as place
  from (select author, min(positions[1]) as first from named group by author) n
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
  select concept, term, df, norm_per_word, ${idf('n', 'concept_df')} as idf
  from (
    select f.concept, f.term, d.df, s.n, ${normPerWord('s.mean_length')} as norm_per_word,
      sum(d.df) over (partition by f.concept) as concept_df
    from stats s, forms f cross join lateral (
      select count(*)::float8 as df from ${postings} d where owner_id = $1 and term = f.term
    ) d
  ) counted
  where df > 0
)`
