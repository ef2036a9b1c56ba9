import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { filterConditions, includesPast, type RecallFilter } from './filter-store.ts'

/** A search for the vectors nearest to one by their signs. */
export interface CodeSearch {
  ownerId: string
  model: number
  /** The signs of the vector, as PostgreSQL reads a bit string. */
  bits: string
  maxCodes: number
  filter: RecallFilter
  /** How many vectors of the owner are read besides. */
  sample: number
}

export interface StoredCode {
  seq: number
  embedding: Int8Array
}

interface CodeRow {
  /** Null: one of the sample. */
  seq: string | null
  embedding: Uint8Array
}

/** The lower bits of a rank are the `seq`, the upper ones the distance: one integer sorts fastest. */
const SEQ_BITS = 48
const RANK = `(bit_count(v.bits # :bits::bit varying) << ${SEQ_BITS}) | v.seq`
const SEQ_MASK = 2 ** SEQ_BITS - 1

/**
 * Compares all vectors of the owner by their signs.
 *
 * Bit strings of different lengths cannot be compared. The rank is computed after the condition on the
 * model, which prevents that, and once for each vector: its computation is most of the time of a search.
 */
const statementFor = (live: string, filters: string, isPast: boolean): string => `
with ${
  filters &&
  `filtered as materialized (
    select m.seq from memories m
    where m.owner_id = :ownerId and m.deleted_at is null ${live} ${filters}
  ),`
}
nearest as materialized (
  select rank & ${SEQ_MASK} as seq
  from (
    select ${RANK} as rank from memory_vectors v
    where v.owner_id = :ownerId and v.model = :model ${isPast ? '' : 'and not v.is_past'}
      -- "is true" keeps this a lookup in a hash table, whatever sizes the planner expects.
      ${filters && 'and (v.seq in (select seq from filtered)) is true'}
    order by rank limit :maxCodes
  ) v
)
select v.seq, v.embedding
from nearest n cross join lateral (
  select seq, embedding from memory_vectors
  where owner_id = :ownerId and seq = n.seq and model = :model limit 1
) v
union all
select null, embedding from (
  select embedding from memory_vectors where owner_id = :ownerId and model = :model limit :sample
) s`

export const findNearestCodes = async (
  query: Query,
  { filter, ...search }: CodeSearch,
): Promise<{ nearest: StoredCode[]; sample: Int8Array[] }> => {
  const { live, filters, values } = filterConditions(filter)
  const statement = statementFor(live, filters, includesPast(filter))
  const rows = await namedQuery<CodeRow>(query, statement, { ...values, ...search })
  const codes = rows.map(({ seq, embedding }) => ({ seq, embedding: new Int8Array(embedding) }))
  return {
    nearest: codes.flatMap(({ seq, embedding }) =>
      seq === null ? [] : [{ seq: Number(seq), embedding }],
    ),
    sample: codes.flatMap(({ seq, embedding }) => (seq === null ? [embedding] : [])),
  }
}
