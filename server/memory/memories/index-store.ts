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

/** Selects the most frequent language of the owner's memories; English before there are any. */
export const mainLanguage = (ownerId: string): string => `
  select coalesce((
    select key from memory_stats, jsonb_each_text(languages)
    where owner_id = ${ownerId} order by value::bigint desc, key limit 1
  ), 'english') as language`

/** The main language if it is among the likely ones or none is known, otherwise the likeliest. */
export const chooseLanguage = (likely: string, main: string): string =>
  `case when ${main} = any(${likely}) or cardinality(${likely}) = 0 then ${main} else (${likely})[1] end`

/** How many changes of an owner's memories are listed. */
export const MAX_RECENT_CHANGES = 64

/** The latest changes of an owner: SQL for an array of those of a statement, and of those before. */
export const prependChanges = (latest: string, earlier: string): string =>
  `(${latest} || ${earlier})[1:${MAX_RECENT_CHANGES}]`

/** SQL for an array of the `seq` of the memories that change. @param rows a CTE. */
export const latestChanges = (rows: string): string =>
  `array(select seq from ${rows} limit ${MAX_RECENT_CHANGES})`

/** Assignments to a row of `memory_stats` that record changes, within the transaction that makes them. */
export const recordChanges = (rows: string): string =>
  `change_count = change_count + (select count(*) from ${rows}),
    recent_changes = ${prependChanges(latestChanges(rows), 'recent_changes')}`

/**
 * A CTE that adds memories to the statistics of their authors, for `:ownerId`. Memories that an earlier
 * version wrote are counted when they are completed, and not before.
 * @param rows selects the memories with a `sign`: 1 for one that is added, -1 for one that is removed.
 * @param after a CTE that has locked the owner's row of `memory_stats`, so that writers of one owner
 * cannot deadlock here.
 */
export const updateAuthorStats = (rows: string, after: string): string => `
author_stats as (
  insert into memory_author_stats as s (
    owner_id, author, memory_count, byte_count, question_count, answer_count
  )
  select :ownerId, coalesce(author, ''), sum(sign), sum(sign * octet_length(content_text)),
    sum(sign * ends_asking::int), sum(sign * follows_question::int)
  from (${rows}) m where superseded_by is null and follows_question is not null
    and exists (select from ${after})
  group by 2 order by 2
  on conflict (owner_id, author) do update set
    memory_count = s.memory_count + excluded.memory_count,
    byte_count = s.byte_count + excluded.byte_count,
    question_count = s.question_count + excluded.question_count,
    answer_count = s.answer_count + excluded.answer_count
)`
