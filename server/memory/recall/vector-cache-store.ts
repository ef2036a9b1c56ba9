import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { MAX_RECENT_CHANGES } from '../memories/changes-store.ts'
import type { CodeChange, CodeColumns } from './owner-codes.ts'

/** The bytes of a bit string: PostgreSQL sends its length in 4 bytes before them. */
const BITS = 'substring(varbit_send(bits) from 5)'

/** @returns undefined before the owner's first memory. */
export const readOwnerSize = async (
  query: Query,
  ownerId: string,
): Promise<{ changeCount: number; memoryCount: number } | undefined> => {
  const [row] = await query<{ change_count: string; memory_count: string }>(
    'select change_count, memory_count from memory_stats where owner_id = $1',
    [ownerId],
  )
  return row && { changeCount: Number(row.change_count), memoryCount: Number(row.memory_count) }
}

const CODES = `
select max(seq) as last, string_agg(int8send(seq), ''::bytea order by seq) as seqs,
  string_agg(${BITS}, ''::bytea order by seq) as bits,
  string_agg(embedding, ''::bytea order by seq) as embeddings
from (
  select seq, bits, embedding from memory_vectors
  where owner_id = :ownerId and model = :model and not is_past and seq > :after
  order by seq limit :limit
) v`

/** The vectors of the next live memories after one; undefined at the end. */
export const readCodes = async (
  query: Query,
  ownerId: string,
  model: number,
  after: number,
  limit: number,
): Promise<(CodeColumns & { last: number }) | undefined> => {
  const values = { ownerId, model, after, limit }
  const [row] = await namedQuery<CodeColumns & { last: string | null }>(query, CODES, values)
  return row?.last ? { ...row, last: Number(row.last) } : undefined
}

const CHANGES = `
select s.change_count, c.seq, v.bits, v.embedding
from (
  select change_count, case when change_count - :since <= ${MAX_RECENT_CHANGES}
    then recent_changes[1 : (change_count - :since)::int] end as seqs
  from memory_stats where owner_id = :ownerId
) s
left join lateral unnest(s.seqs) c(seq) on true
left join lateral (
  select ${BITS} as bits, embedding from memory_vectors
  where owner_id = :ownerId and seq = c.seq and model = :model and not is_past limit 1
) v on true`

/**
 * The current vectors of the memories that changed since `since`.
 * @returns undefined when the list of recent changes does not go back that far.
 */
export const readChanges = async (
  query: Query,
  ownerId: string,
  model: number,
  since: number,
): Promise<{ changeCount: number; changes: CodeChange[] } | undefined> => {
  type Row = {
    change_count: string
    seq: string | null
    bits: Uint8Array | null
    embedding: Uint8Array | null
  }
  const rows = await namedQuery<Row>(query, CHANGES, { ownerId, model, since })
  const changeCount = Number(rows[0]?.change_count ?? 0)
  if (changeCount < since || changeCount - since > MAX_RECENT_CHANGES) return undefined
  const changes = rows.flatMap(({ seq, bits, embedding }) =>
    seq === null ? [] : [{ seq: Number(seq), ...(bits && embedding && { bits, embedding }) }],
  )
  return { changeCount, changes }
}
