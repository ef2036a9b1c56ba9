import type { Query } from '../../platform/db/database.ts'

const LIVE = 'm.deleted_at is null and m.superseded_by is null'

export interface BridgeRow {
  memory_id: string
  content_text: string
  betweenness: number
  importance: number
  memory_type: 'semantic' | 'episodic' | 'procedural' | 'preference'
  tags: string[]
}

/** The live memories that lie between others, the most of that first. */
export const listBridges = (query: Query, ownerId: string, limit: number): Promise<BridgeRow[]> =>
  query<BridgeRow>(
    `select m.memory_id, m.content_text, b.betweenness, m.importance, m.memory_type, m.tags
    from memory_betweenness b
    join memories m on m.owner_id = b.owner_id and m.memory_id = b.memory_id
    where b.owner_id = $1 and ${LIVE}
    order by b.betweenness desc, b.memory_id limit $2`,
    [ownerId, limit],
  )

export const countBridges = async (query: Query, ownerId: string): Promise<number> => {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from memory_betweenness b
    join memories m on m.owner_id = b.owner_id and m.memory_id = b.memory_id
    where b.owner_id = $1 and ${LIVE}`,
    [ownerId],
  )
  return row?.count ?? 0
}

export interface NodeRow {
  memory_id: string
  opening: string
  memory_type: BridgeRow['memory_type']
  importance: number
  thread: string | null
  betweenness: number
}

/** More than a label takes. */
const OPENING = 400

/** The most central memories, then the latest; where there is room, also those whose place they took. */
const NODES = `
with central as materialized (
  select b.memory_id, b.betweenness from memory_betweenness b
  join memories m on m.owner_id = b.owner_id and m.memory_id = b.memory_id
  where b.owner_id = $1 and ${LIVE}
  order by b.betweenness desc, b.memory_id limit $2
),
latest as materialized (
  select m.memory_id from memories m
  where m.owner_id = $1 and ${LIVE} and m.memory_id not in (select memory_id from central)
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
select m.memory_id, left(m.content_text, ${OPENING}) as opening, m.memory_type, m.importance,
  t.thread, n.betweenness
from (select * from live union all select * from past) n
join memories m on m.owner_id = $1 and m.memory_id = n.memory_id
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
order by n.rank, n.betweenness desc, m.memory_id desc limit $2`

export const listNodes = (query: Query, ownerId: string, limit: number): Promise<NodeRow[]> =>
  query<NodeRow>(NODES, [ownerId, limit])

export interface EdgeRow {
  from: string
  to: string
  kind: 'thread' | 'words' | 'explicit' | 'supersedes'
  weight: number
}

/** All edges among some memories. */
const EDGES = `
with nodes as materialized (
  select m.* from jsonb_array_elements_text($2::jsonb) as i(id)
  cross join lateral (
    select memory_id, seq, thread_no, position, supersedes, superseded_by from memories
    where owner_id = $1 and memory_id = i.id::uuid limit 1
  ) m
),
edges as (
  select l.memory_id as from, l.other_id as to, l.kind, l.weight from nodes n
  cross join lateral (
    select * from memory_links where owner_id = $1 and memory_id = n.memory_id offset 0
  ) l
  where n.superseded_by is null
    and l.other_id in (select memory_id from nodes where superseded_by is null)
  union all
  select n.memory_id, next.memory_id, 'thread', 1 from nodes n
  cross join lateral (
    select m.memory_id from memories m
    where m.owner_id = $1 and m.thread_no = n.thread_no
      and (m.position, m.seq) > (n.position, n.seq) and ${LIVE}
    order by m.position, m.seq limit 1
  ) next
  where n.thread_no <> 0 and n.superseded_by is null
    and next.memory_id in (select memory_id from nodes)
  union all
  select n.memory_id, n.supersedes, 'supersedes', 1 from nodes n
  where n.supersedes in (select memory_id from nodes)
)
select * from edges order by kind, weight desc, 1, 2`

export const listEdges = (query: Query, ownerId: string, memoryIds: string[]): Promise<EdgeRow[]> =>
  query<EdgeRow>(EDGES, [ownerId, JSON.stringify(memoryIds)])
