import type { Query } from '../../platform/db/database.ts'

const LIVE = 'm.deleted_at is null and m.superseded_by is null'
const MAX_LINKS = 20
const MAX_VERSIONS = 50

/** One step along a chain of versions, from the row of `step`. */
const nextVersion = (column: 'supersedes' | 'superseded_by') => `
select m.memory_id, m.${column}, s.step + 1, s.path || m.memory_id
from step s join memories m on m.owner_id = $1 and m.memory_id = s.${column}
where s.step < ${MAX_VERSIONS} and m.memory_id <> all(s.path)`

/**
 * A chain that an import made circular ends before its first repeated memory. Not by CYCLE, which Citus does
 * not pass on to the nodes.
 */
const versions = (column: 'supersedes' | 'superseded_by') => `(
  with recursive step(memory_id, ${column}, step, path) as (
    select memory_id, ${column}, 0, array[memory_id] from origin union all ${nextVersion(column)}
  )
  select memory_id, step from step where step > 0
)`

/** The memories next to the origin in its thread. */
const neighbors = (comparison: '<' | '>') => {
  const direction = comparison === '<' ? 'desc' : 'asc'
  return `(
  select m.memory_id, row_number() over (order by m.position ${direction}, m.seq ${direction}) as rank
  from origin o join memories m on m.owner_id = $1 and m.thread_no = o.thread_no
    and (m.position, m.seq) ${comparison} (o.position, o.seq)
  where o.thread_no <> 0 and ${LIVE}
  order by rank limit $3
)`
}

const RELATED = `
with origin as materialized (
  select memory_id, seq, thread_no, position, supersedes, superseded_by from memories
  where owner_id = $1 and memory_id = $2
),
linked as (
  select other_id as memory_id, kind, weight from memory_links where owner_id = $1 and memory_id = $2
  union all
  select memory_id, kind, weight from memory_links where owner_id = $1 and other_id = $2
),
links as (
  select distinct on (l.memory_id) l.* from linked l
  join memories m on m.owner_id = $1 and m.memory_id = l.memory_id
  where ${LIVE} order by l.memory_id, l.kind
)
select 'before' as role, memory_id, -rank::float8 as rank, null as kind, null::float8 as weight
from ${neighbors('<')} b
union all select 'after', memory_id, rank, null, null from ${neighbors('>')} a
union all select 'earlier', memory_id, step, null, null from ${versions('supersedes')} e
union all select 'later', memory_id, step, null, null from ${versions('superseded_by')} l
union all (
  select 'link', memory_id, -weight, kind, weight from links
  order by kind, weight desc, memory_id limit ${MAX_LINKS}
)
order by role, kind, rank, memory_id`

export interface RelatedRow {
  role: 'before' | 'after' | 'earlier' | 'later' | 'link'
  memory_id: string
  kind: 'words' | 'explicit' | null
  weight: number | null
}

/** The ids of the memories that are related to a memory, in the order of each role. */
export const listRelated = (
  query: Query,
  ownerId: string,
  memoryId: string,
  neighborCount: number,
): Promise<RelatedRow[]> => query<RelatedRow>(RELATED, [ownerId, memoryId, neighborCount])
