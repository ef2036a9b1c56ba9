import { MAX_EDGES } from '../../../shared/contract/graph.ts'
import type { MemoryType, Trust } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'

const LIVE = 'm.deleted_at is null and m.superseded_by is null'
const READABLE = '($3::text[] is null or m.trust = any($3))'

interface GraphPage {
  limit: number
  /** The levels of trust of the memories that count; undefined for all. */
  trusts: readonly Trust[] | undefined
}

interface BridgeRow {
  memory_id: string
  content_text: string
  betweenness: number
  importance: number
  memory_type: MemoryType
  tags: string[]
}

/** Counted and listed in one statement: between two, new scores may be stored. */
const BRIDGES = `
with scored as materialized (
  select b.memory_id, b.betweenness from memory_betweenness b
  join memories m on m.owner_id = b.owner_id and m.memory_id = b.memory_id
  where b.owner_id = $1 and ${LIVE} and ${READABLE}
)
select m.memory_id, m.content_text, s.betweenness, m.importance, m.memory_type, m.tags,
  (select count(*)::int from scored) as total
from (select * from scored order by betweenness desc, memory_id limit $2) s
join memories m on m.owner_id = $1 and m.memory_id = s.memory_id
order by s.betweenness desc, s.memory_id`

/** Live memories by descending betweenness, and their count without `limit`, which is at least 1. */
export const listBridges = async (
  query: Query,
  ownerId: string,
  { limit, trusts }: GraphPage,
): Promise<{ rows: BridgeRow[]; total: number }> => {
  const found = await query<BridgeRow & { total: number }>(BRIDGES, [
    ...[ownerId, limit, trusts ?? null],
  ])
  return { rows: found.map(({ total: _, ...row }) => row), total: found[0]?.total ?? 0 }
}

interface NodeRow {
  seq: number
  memory_id: string
  opening: string
  memory_type: MemoryType
  importance: number
  thread: string | null
  /** In milliseconds since 1970. */
  time: number
  betweenness: number
}

/** In characters; a label needs fewer. */
const OPENING = 400

/** The most central memories, then the latest, then the memories that these supersede. */
const NODES = `
with central as materialized (
  select b.memory_id, b.betweenness from memory_betweenness b
  join memories m on m.owner_id = b.owner_id and m.memory_id = b.memory_id
  where b.owner_id = $1 and ${LIVE} and ${READABLE}
  order by b.betweenness desc, b.memory_id limit $2
),
latest as materialized (
  select m.memory_id from memories m
  where m.owner_id = $1 and m.deleted_at is null and ${READABLE}
    and (m.superseded_by is null or m.memory_id = any($4::uuid[])) and m.memory_id not in (select memory_id from central)
  order by m.seq desc limit $2
),
live as materialized (
  select * from (
    select memory_id, betweenness, 1 as rank from central
    union all select memory_id, 0, 2 from latest
  ) c order by rank, betweenness desc, memory_id desc limit $2
),
past as materialized (
  select p.memory_id, 0 as betweenness, 3 as rank
  from live l join memories m on m.owner_id = $1 and m.memory_id = l.memory_id
  join memories p on p.owner_id = $1 and p.memory_id = m.supersedes
  where p.deleted_at is null and p.superseded_by is not null
)
select m.seq::float8 as seq, m.memory_id, left(m.content_text, ${OPENING}) as opening, m.memory_type, m.importance,
  t.thread, n.betweenness,
  (extract(epoch from coalesce(m.occurred_at, m.created_at)) * 1000)::float8 as time
from (select * from live union all select * from past) n
join memories m on m.owner_id = $1 and m.memory_id = n.memory_id and ${READABLE}
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
order by n.rank, n.betweenness desc, m.memory_id desc limit $2`

export const listNodes = (
  query: Query,
  ownerId: string,
  { limit, trusts, current }: GraphPage & { current: string[] },
): Promise<NodeRow[]> => query<NodeRow>(NODES, [ownerId, limit, trusts ?? null, current])

interface EdgeRow {
  from: string
  to: string
  kind: 'thread' | 'words' | 'meaning' | 'explicit' | 'supersedes'
  weight: number
}

/**
 * The edges between the given memories, at most `MAX_EDGES`: the weakest by words are left out. The
 * candidates are materialized, so that one join finds their other ends; otherwise the planner, which
 * expects few rows, searches all memories for each of them.
 */
const EDGES = `
with nodes as materialized (
  select m.* from jsonb_array_elements_text($2::jsonb) as i(id)
  cross join lateral (
    select memory_id, seq, thread_no, position, supersedes, superseded_by from memories
    where owner_id = $1 and memory_id = i.id::uuid limit 1
  ) m
),
candidates as materialized (
  select l.memory_id as from, l.other_id as to, l.kind, l.weight from nodes n
  cross join lateral (
    select * from memory_links where owner_id = $1 and memory_id = n.memory_id offset 0
  ) l
  where n.superseded_by is null
  union all
  select n.memory_id, next.memory_id, 'thread', 1 from nodes n
  cross join lateral (
    select m.memory_id from memories m
    where m.owner_id = $1 and m.thread_no = n.thread_no
      and (m.position, m.seq) > (n.position, n.seq) and ${LIVE}
    order by m.position, m.seq limit 1
  ) next
  where n.thread_no <> 0 and n.superseded_by is null
  union all
  select n.memory_id, n.supersedes, 'supersedes', 1 from nodes n where n.supersedes is not null
)
select c.* from candidates c join nodes t on t.memory_id = c.to
where t.superseded_by is null or c.kind = 'supersedes'
order by c.kind, c.weight desc, 1, 2 limit $3`

export const listEdges = (query: Query, ownerId: string, memoryIds: string[]): Promise<EdgeRow[]> =>
  query<EdgeRow>(EDGES, [ownerId, JSON.stringify(memoryIds), MAX_EDGES])

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
select 'origin' as role, memory_id, seq::float8 as rank, null as kind, null::float8 as weight from origin
union all select 'before', memory_id, -rank::float8, null, null
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
  role: 'before' | 'after' | 'earlier' | 'later' | 'link' | 'origin'
  memory_id: string
  /** Of the origin, its `seq`. */
  rank: number
  kind: 'words' | 'meaning' | 'explicit' | null
  weight: number | null
}

/** The ids of the memories that are related to a memory, in the order of each role. */
export const listRelated = (
  query: Query,
  ownerId: string,
  memoryId: string,
  neighborCount: number,
): Promise<RelatedRow[]> => query<RelatedRow>(RELATED, [ownerId, memoryId, neighborCount])
