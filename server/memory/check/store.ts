import type { Query } from '../../platform/db/database.ts'
import { MAX_RECENT_CHANGES, postingRows, wordCount } from '../memories/index-store.ts'
import { lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'

const OWNED_TABLES = [
  'memories',
  'memory_stats',
  'memory_postings',
  'memory_past_postings',
  'memory_vectors',
  'memory_history',
]

/** Everything that has rows of its own. */
export const listOwners = async (query: Query): Promise<{ ownerId: string; exists: boolean }[]> => {
  const rows = await query<{ owner_id: string; exists: boolean }>(
    `with existing as materialized (select id from users union all select id from orgs),
    owners as materialized (
      ${OWNED_TABLES.map((table) => `select distinct owner_id from ${table}`).join(' union ')}
    )
    select owner_id, owner_id in (select id from existing) as exists from owners order by owner_id`,
    [],
  )
  return rows.map((row) => ({ ownerId: row.owner_id, exists: row.exists }))
}

const LOST_VECTORS = `
from memory_vectors v
where v.owner_id = $1 and not exists (
  select from memories m where m.owner_id = v.owner_id and m.seq = v.seq and m.deleted_at is null
)`

const LOST_HISTORY = `
from memory_history h
where h.owner_id = $1 and not exists (
  select from memories m where m.owner_id = h.owner_id and m.memory_id = h.memory_id
)`

interface DependentTable {
  table: string
  /** The clauses that select its rows without a memory. */
  orphans: string
}

/** Tables with rows that belong to a memory. */
export const dependentTables: readonly DependentTable[] = [
  { table: 'memory_vectors', orphans: LOST_VECTORS },
  { table: 'memory_history', orphans: LOST_HISTORY },
]

/** The number of rows whose memory is deleted or does not exist. */
export const countOrphans = async (
  query: Query,
  ownerId: string,
  { orphans }: DependentTable,
): Promise<number> => {
  const [row] = await query<{ count: number }>(`select count(*)::int ${orphans}`, [ownerId])
  return row?.count ?? 0
}

export const deleteOrphans = async (
  query: Query,
  ownerId: string,
  { orphans }: DependentTable,
): Promise<void> => {
  await query(`delete ${orphans}`, [ownerId])
}

/** @param condition limits the memories. */
const expectedPostings = (condition: string) => `
live as materialized (
  select * from memories where owner_id = $1 and deleted_at is null and ${condition}
),
expected as materialized (
  select m.seq, p.lexeme as term, p.frequency, p.length, m.superseded_by is not null as is_past
  from (${postingRows('live')}) p join live m on m.memory_id = p.memory_id
)`
const ALL_EXPECTED = expectedPostings('true')

/** The memories whose postings differ from their content, also memories that do not exist any more. */
export const findWrongPostings = async (query: Query, ownerId: string): Promise<string[]> => {
  const rows = await query<{ seq: string }>(
    `with ${ALL_EXPECTED},
    actual as (
      select seq, term, frequency, length, false as is_past from memory_postings where owner_id = $1
      union all
      select seq, term, frequency, length, true from memory_past_postings where owner_id = $1
    )
    select distinct coalesce(e.seq, a.seq)::text as seq
    from expected e full join actual a on a.seq = e.seq and a.term = e.term
      and a.frequency = e.frequency and a.length = e.length and a.is_past = e.is_past
    where e.seq is null or a.seq is null`,
    [ownerId],
  )
  return rows.map(({ seq }) => seq)
}

const SEQS = 'any(array(select value::bigint from jsonb_array_elements_text($2::jsonb)))'

/** Writes the postings of these memories again, within a transaction; `rewriteStats` has to follow. */
export const rewritePostings = async (
  query: Query,
  ownerId: string,
  seqs: string[],
): Promise<void> => {
  const values = [ownerId, JSON.stringify(seqs)]
  await query(
    `with ${lockOwner('$1')}
    select from memories where owner_id = $1 and seq = ${SEQS} and ${OWNER_EXISTS}
    order by memory_id for update`,
    values,
  )
  for (const table of ['memory_postings', 'memory_past_postings'])
    await query(`delete from ${table} where owner_id = $1 and seq = ${SEQS}`, values)
  for (const [table, condition] of [
    ['memory_postings', 'not is_past'],
    ['memory_past_postings', 'is_past'],
  ])
    await query(
      `with ${expectedPostings(`seq = ${SEQS}`)}
      insert into ${table} (owner_id, term, seq, frequency, length)
      select $1, term, seq, frequency, length from expected where ${condition}`,
      values,
    )
}

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
    update memory_stats s set memory_count = c.memory_count, word_count = c.word_count,
      -- More changes than are listed: each server reads the owner's memories again.
      change_count = s.change_count + ${MAX_RECENT_CHANGES} + 1, recent_changes = '{}'
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
