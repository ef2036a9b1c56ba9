import { chooseLanguage, EXACT_FORM_PREFIX, mainLanguage } from '../memories/index-store.ts'
import { B, K1 } from './term-scores.ts'

/**
 * The question is stemmed in at most this many languages of the owner's memories: first those it may be
 * written in, then the most frequent ones.
 */
export const MAX_LANGUAGES = 8
/** The weight of an author's name as a term: its author says more of a memory than a name in its text. */
export const NAME_WEIGHT = 0.5
/** A longer question is ranked by its rarest terms. */
export const MAX_TERMS = 200

/**
 * CTEs that read the question, in the languages that it may be written in.
 *
 * - `named_authors`: the authors that the question names; `is_alone` where it names only one
 * - `query_terms`: stems and exact forms of the question
 * - `term_variants`: irregular forms of each (go, went), and its stems in the owner's other languages
 * - `weighted_terms`: the variants that occur in memories; those of one query term share one idf
 *
 * Parameters: `:ownerId`, `:question`, `:languages` and `:exactForms` (JSON arrays).
 */
export const queryTermCtes = (postings: string): string => `
stats as materialized (
  select greatest(memory_count, 1)::float8 as n,
    greatest(word_count, 1)::float8 / greatest(memory_count, 1) as mean_length, languages
  from memory_stats where owner_id = :ownerId
),
main_language as materialized (${mainLanguage(':ownerId')}),
question_language as materialized (
  select ${chooseLanguage('l.likely', 'm.language')} as language
  from main_language m cross join (
    select array(
      select l from jsonb_array_elements_text(:languages::jsonb) l where (select languages from stats) ? l
    ) as likely offset 0
  ) l
),
stems as materialized (
  select l.language, w.lexeme as stem, w.positions
  from (
    select key as language from stats, jsonb_each_text(languages)
    order by :languages::jsonb ? key desc, value::bigint desc, key limit ${MAX_LANGUAGES}
  ) l cross join unnest(to_tsvector(l.language::regconfig, :question)) w
),
stems_in_language as materialized (
  select stem from stems where language = (select language from question_language)
),
question_stems as materialized (
  -- Written as an equality, so that the planner expects few rows here and in all that follows.
  select stem, positions from stems
  where language = case when exists (select from stems_in_language)
    then (select language from question_language) else language end
),
question_positions as materialized (select unnest(positions) as position from question_stems),
author_mentions as materialized (
  select a.author, w.positions
  from unnest(to_tsvector('simple', :question)) w
  join memory_authors a on a.owner_id = :ownerId and a.term = w.lexeme
  where ${hasMemories('a')} and exists (
    select from unnest(w.positions) p where (p in (select position from question_positions)) is true
  )
),
author_positions as materialized (select unnest(positions) as position from author_mentions),
query_terms as materialized (
  select row_number() over ()::int as query_term, term, positions, is_name from (
    select q.stem as term, q.positions, exists (
        select from unnest(q.positions) p where (p in (select position from author_positions)) is true
      ) as is_name
    from question_stems q
    union all
    select '${EXACT_FORM_PREFIX}' || form, null, false
    from jsonb_array_elements_text(:exactForms::jsonb) form
  ) c
),
named_authors as materialized (
  select author, count(*) over () = 1 as is_alone, rank() over (order by first) as rank
  from (select author, min(positions[1]) as first from author_mentions group by author) n
),
term_variants as materialized (
  select query_term, term from query_terms
  union
  select q.query_term, f.form from query_terms q cross join question_language l cross join lateral (
    select form from word_forms where language = l.language and term = q.term offset 0
  ) f
  union
  select q.query_term, s.stem
  from (select query_term, unnest(positions) as position from query_terms) q
  join (select stem, unnest(positions) as position from stems) s using (position)
),
weighted_terms as materialized (
  select query_term, term, is_name, df, norm_per_word, idf from (
    select *, dense_rank() over (order by idf desc, query_term) as rank from (
      select *, ${idf('n', 'total_df')}
        * case when is_name then ${float(NAME_WEIGHT)} else 1 end as idf
      from (
        select v.query_term, v.term, q.is_name, d.df, s.n,
          ${normPerWord('s.mean_length')} as norm_per_word,
          sum(d.df) over (partition by v.query_term) as total_df
        from stats s, term_variants v join query_terms q on q.query_term = v.query_term
        cross join lateral (
          select count(*)::float8 as df from ${postings} d
          where owner_id = :ownerId and term = v.term
        ) d
      ) counted
      where df > 0
    ) weighted
  ) ranked
  where rank <= ${MAX_TERMS}
)`

/** Whether the author of a row `a` of `memory_authors` has live memories. `is true` keeps it from becoming a join. */
export const hasMemories = (a: string): string => `(exists (
    select from memory_author_stats s
    where s.owner_id = :ownerId and s.author = ${a}.author and s.memory_count > 0
  )) is true`

/** A number in double precision: PostgreSQL's numeric is three times slower. */
export const float = (n: number): string => `${n}::float8`

/** The idf of a term that occurs in `df` of `n` memories. */
export const idf = (n: string, df: string): string =>
  `ln(1 + (${n} - least(${n}, ${df}) + 0.5::float8) / (least(${n}, ${df}) + 0.5::float8))`

/** The length normalization for each word of a memory (`norm_per_word`). */
export const normPerWord = (meanLength: string): string => `${float(K1 * B)} / ${meanLength}`

/** The BM25 score of a posting `p` of a weighted term `t`. */
export const POSTING_SCORE = `t.idf * ${float(K1 + 1)} * p.frequency
  / (p.frequency + (${float(K1 * (1 - B))} + t.norm_per_word * p.length))`
