import type { Query } from '../../platform/db/database.ts'
import { wordCount } from '../memories/postings-store.ts'

const COUNTED = `
counted as (
  select
    (select count(*) from memories where owner_id = $1 and deleted_at is null and superseded_by is null)
      as memory_count,
    ${wordCount('(select * from memory_postings where owner_id = $1) p')} as word_count
)`

/** Whether the statistics of an owner differ from the memories and postings. */
export const hasWrongStats = async (query: Query, ownerId: string): Promise<boolean> => {
  const rows = await query(
    `with ${COUNTED}
    select from counted c left join memory_stats s on s.owner_id = $1
    where (coalesce(s.memory_count, 0), coalesce(s.word_count, 0)) <> (c.memory_count, c.word_count)`,
    [ownerId],
  )
  return rows.length > 0
}

const AUTHORS = `
authors as (
  select coalesce(author, '') as author, count(*) as memory_count,
    sum(octet_length(content_text)) as byte_count, sum(ends_asking::int) as question_count,
    sum(follows_question::int) as answer_count
  from memories where owner_id = $1 and deleted_at is null and superseded_by is null
    and follows_question is not null
  group by 1
)`

/** The number of authors whose statistics differ from their memories. */
export const countWrongAuthors = async (query: Query, ownerId: string): Promise<number> => {
  const [row] = await query<{ count: number }>(
    `with ${AUTHORS}
    select count(*)::int from authors e
    full join (select * from memory_author_stats where owner_id = $1) s on s.author = e.author
    where (coalesce(e.memory_count, 0), coalesce(e.byte_count, 0), coalesce(e.question_count, 0),
      coalesce(e.answer_count, 0)) <> (coalesce(s.memory_count, 0), coalesce(s.byte_count, 0),
      coalesce(s.question_count, 0), coalesce(s.answer_count, 0))`,
    [ownerId],
  )
  return row?.count ?? 0
}

/** Counts again, within a transaction. Writers of the owner wait, as they lock the same row. */
export const rewriteStats = async (query: Query, ownerId: string): Promise<void> => {
  await query(
    `insert into memory_stats (owner_id, memory_count, word_count, languages)
    values ($1, 0, 0, '{}') on conflict (owner_id) do nothing`,
    [ownerId],
  )
  await query('select from memory_stats where owner_id = $1 for update', [ownerId])
  await query(
    `with ${COUNTED}
    update memory_stats s set memory_count = c.memory_count, word_count = c.word_count
    from counted c where owner_id = $1`,
    [ownerId],
  )
  await query('delete from memory_author_stats where owner_id = $1', [ownerId])
  await query(
    `with ${AUTHORS}
    insert into memory_author_stats (
      owner_id, author, memory_count, byte_count, question_count, answer_count
    ) select $1, * from authors`,
    [ownerId],
  )
}
