import type { Query } from '../../platform/db/database.ts'
import { lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'
import { postingRows } from '../memories/postings-store.ts'

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

/** Writes the postings of these memories again, within a transaction. */
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
