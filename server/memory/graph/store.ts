import { eq } from 'drizzle-orm'
import type { Query } from '../../platform/db/database.ts'
import { jsonRows } from '../../platform/db/statements.ts'
import { type Eraser, lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'
import type { StoredTerms } from '../memories/terms.ts'
import { GRAPH_ENGINE, SCORES_TASK } from './score-store.ts'
import { memoryGraphs } from './table.ts'

const IS_LIVE = 'deleted_at is null and superseded_by is null'

export interface MemoryLink {
  memory_id: string
  other_id: string
  kind: 'words' | 'explicit'
  weight: number
}

/** The memories with links to these, and those of `sharing`; without memories that have a pending task. */
const AFFECTED = `
select distinct m.seq, m.memory_id from (
  select l.memory_id from jsonb_array_elements_text($2::jsonb) as o(id)
  cross join lateral (
    select memory_id from memory_links
    where owner_id = $1 and other_id = o.id::uuid and kind = 'words' offset 0
  ) l
  union
  select n.memory_id from jsonb_array_elements_text($3::jsonb) as s(seq)
  cross join lateral (
    select memory_id from memories where owner_id = $1 and seq = s.seq::bigint and ${IS_LIVE} limit 1
  ) n
) c
cross join lateral (
  select seq, memory_id from memories
  where owner_id = $1 and memory_id = c.memory_id and ${IS_LIVE} limit 1
) m
cross join lateral (
  select count(*) as waiting from memory_tasks t
  where t.owner_id = $1 and t.engine = $4 and t.seq = m.seq
) t
where t.waiting = 0`

/**
 * Memories whose links may change with a change of `memoryIds`.
 * @param sharing later memories with rare words in common
 */
export const findAffected = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
  sharing: number[],
): Promise<Map<number, string>> => {
  const rows = await query<{ seq: string; memory_id: string }>(AFFECTED, [
    ownerId,
    JSON.stringify(memoryIds),
    JSON.stringify(sharing),
    GRAPH_ENGINE,
  ])
  return new Map(rows.map(({ seq, memory_id }) => [Number(seq), memory_id]))
}

/** The terms of live memories, as they are stored. */
export const listTerms = async (
  query: Query,
  ownerId: string,
  seqs: number[],
): Promise<StoredTerms[]> =>
  query<StoredTerms>(
    `select m.terms, m.language, case when m.terms is null then m.content_text end as content
    from jsonb_array_elements_text($2::jsonb) as s(seq)
    cross join lateral (
      select * from memories where owner_id = $1 and seq = s.seq::bigint and ${IS_LIVE} limit 1
    ) m`,
    [ownerId, JSON.stringify(seqs)],
  )

/** The ids of memories by `seq`. */
export const findIds = async (
  query: Query,
  ownerId: string,
  seqs: number[],
): Promise<Map<number, string>> => {
  const rows = await query<{ seq: string; memory_id: string }>(
    `select m.seq, m.memory_id from jsonb_array_elements_text($2::jsonb) as s(seq)
    cross join lateral (
      select seq, memory_id from memories where owner_id = $1 and seq = s.seq::bigint limit 1
    ) m`,
    [ownerId, JSON.stringify(seqs)],
  )
  return new Map(rows.map(({ seq, memory_id }) => [Number(seq), memory_id]))
}

/** Links to a memory that is being erased are dropped: the lock on its row finds none. */
const REPLACE_LINKS = `
with ${lockOwner('$1')},
locked as materialized (
  select m.memory_id from (
    select distinct e.id from ${jsonRows('$4::jsonb', { memory_id: 'uuid', other_id: 'uuid' })} l
    cross join lateral (values (l.memory_id), (l.other_id)) as e(id)
    order by 1
  ) i
  cross join lateral (
    select memory_id from memories where owner_id = $1 and memory_id = i.id for key share
  ) m
  where ${OWNER_EXISTS}
),
fresh as materialized (
  select l.* from ${jsonRows('$4::jsonb', {
    memory_id: 'uuid',
    other_id: 'uuid',
    kind: 'text',
    weight: 'float8',
  })} l
  where l.memory_id in (select memory_id from locked) and l.other_id in (select memory_id from locked)
),
removed as (
  delete from memory_links l
  using jsonb_array_elements_text($2::jsonb) as i(id)
  where l.owner_id = $1 and l.memory_id = i.id::uuid and not exists (
    select from fresh f
    where f.memory_id = l.memory_id and f.other_id = l.other_id and f.kind = l.kind
  ) and (l.kind = 'words' or l.memory_id in (
    select e.id::uuid from jsonb_array_elements_text($3::jsonb) as e(id)
  ))
  returning 1
),
changed as (
  insert into memory_links as l (owner_id, memory_id, other_id, kind, weight)
  select $1, memory_id, other_id, kind, weight from fresh order by memory_id, other_id, kind
  on conflict (owner_id, memory_id, other_id, kind) do update set weight = excluded.weight
  where l.weight <> excluded.weight
  returning 1
),
outdated as (
  insert into memory_tasks as t (owner_id, engine, seq)
  select $1, '${SCORES_TASK}', 0
  where ${OWNER_EXISTS} and ($5::boolean or exists (select from removed) or exists (select from changed))
  on conflict (owner_id, engine, seq) do update set revision = t.revision + 1
  returning 1
)
select exists (select from outdated) as is_outdated`

export interface LinkChanges {
  /** Memories whose links by words are replaced. */
  memoryIds: string[]
  /** A subset, whose explicit links are replaced too. */
  explicitIds: string[]
  links: MemoryLink[]
  /** The graph changed otherwise, so that its scores are outdated. */
  isOutdated: boolean
}

/**
 * Replaces links. If one changes, or if `isOutdated`, a task to compute scores is written in the same
 * statement.
 * @returns whether the task was written.
 */
export const replaceLinks = async (
  query: Query,
  ownerId: string,
  { memoryIds, explicitIds, links, isOutdated }: LinkChanges,
): Promise<boolean> => {
  const lists = [memoryIds, explicitIds, links].map((list) => JSON.stringify(list))
  const [row] = await query<{ is_outdated: boolean }>(REPLACE_LINKS, [
    ownerId,
    ...lists,
    isOutdated,
  ])
  return row?.is_outdated ?? false
}

/** Deletes what was computed of an owner's graph; links and scores are deleted with their memories. */
export const eraseGraph: Eraser = async (tx, ownerId) => {
  await tx.delete(memoryGraphs).where(eq(memoryGraphs.ownerId, ownerId))
}
