import type { Trust } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'

/** The place of a superseded memory in its chain, for a reader who may not read its successor. */
export interface VisibleSuccession {
  seq: number
  /** The next memory of the chain that they may read; null where there is none, and the memory is current. */
  successor: string | null
}

/** Chains are followed so far. */
const MAX_CHAIN = 1_000

const VISIBLE_SUCCESSIONS = `
with recursive chain as (
  select p.memory_id, p.seq, n.memory_id as next_id, n.superseded_by as after_id, n.trust, 1 as step
  from memories p join memories n on n.owner_id = $1 and n.memory_id = p.superseded_by
  where p.owner_id = $1 and p.superseded_by is not null and p.deleted_at is null
    and p.trust = any($2::text[]) and n.trust <> all($2::text[])
  union all
  select c.memory_id, c.seq, n.memory_id, n.superseded_by, n.trust, c.step + 1
  from chain c join memories n on n.owner_id = $1 and n.memory_id = c.after_id
  where c.trust <> all($2::text[]) and c.step < ${MAX_CHAIN}
)
select distinct on (memory_id) memory_id, seq::float8 as seq,
  case when trust = any($2::text[]) then next_id end as successor
from chain order by memory_id, step desc`

/**
 * The superseded memories whose successor a reader may not read, by their ids: what is trusted less replaces
 * nothing for who reads only what is trusted more.
 * @param trusts the levels of trust that the reader may read; undefined for all.
 */
export const listVisibleSuccessions = async (
  query: Query,
  ownerId: string,
  trusts: readonly Trust[] | undefined,
): Promise<Map<string, VisibleSuccession>> => {
  if (!trusts) return new Map()
  const rows = await query<{ memory_id: string; seq: number | string; successor: string | null }>(
    VISIBLE_SUCCESSIONS,
    [ownerId, trusts],
  )
  return new Map(
    rows.map(({ memory_id, seq, successor }) => [memory_id, { seq: Number(seq), successor }]),
  )
}

/** The ids of the memories that are current for a reader, though successors that they may not read supersede them. */
export const listCurrentFor = async (
  query: Query,
  ownerId: string,
  trusts: readonly Trust[] | undefined,
): Promise<Map<string, number>> => {
  const successions = await listVisibleSuccessions(query, ownerId, trusts)
  return new Map(
    [...successions].flatMap(([id, { seq, successor }]) => (successor ? [] : [[id, seq]])),
  )
}
