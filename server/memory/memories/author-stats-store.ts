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
