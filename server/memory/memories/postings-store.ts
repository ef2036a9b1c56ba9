/** Marks the term of an exact form: no stem begins with it. */
export const EXACT_FORM_PREFIX = '='

/**
 * Selects the postings of the memories in `rows`: each stem and exact form with its frequency and the
 * number of words of the memory. Exact forms do not count for the length: their words are counted as stems.
 */
export const postingRows = (rows: string): string => `
  select memory_id, lexeme, frequency, greatest(sum(words) over (partition by memory_id), 1) as length
  from (
    select memory_id, lexeme, cardinality(positions) as frequency, cardinality(positions) as words
    from ${rows}, unnest(to_tsvector(language::regconfig, coalesce(search_text, content_text)))
    union all
    select memory_id, '${EXACT_FORM_PREFIX}' || form, 1, 0 from ${rows}, unnest(exact_forms) form
  ) stems`

/** The terms of a memory `m`, for a lateral join with its row. */
export const termRows = (m: string): string => `(
  select lexeme from unnest(to_tsvector(${m}.language::regconfig, coalesce(${m}.search_text, ${m}.content_text)))
  union all select '${EXACT_FORM_PREFIX}' || form from unnest(${m}.exact_forms) form
)`

/** The number of words that the postings in `rows` stand for. */
export const wordCount = (rows: string): string =>
  `(select coalesce(sum(frequency) filter (where left(term, 1) <> '${EXACT_FORM_PREFIX}'), 0) from ${rows})`
