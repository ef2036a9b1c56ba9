import { setImmediate as turn } from 'node:timers/promises'
import type { Database, Query } from '../../platform/db/database.ts'
import { OWNER, OWNER_IS_THERE } from '../memories/owner.ts'

/** The engine's name. */
export const GRAPH = 'graph'

/** Rows are written in parts, so that nobody waits long while they are. */
const PART = 1_000

export interface GraphResult {
  nodeCount: number
  edgeCount: number
  isSampled: boolean
  durationMs: number
  /** When its memories were read, by the database's clock. */
  readAt: string
  scores: Map<string, number>
}

export const databaseTime = async (query: Query): Promise<string> => {
  const [row] = await query<{ now: string | Date }>('select clock_timestamp() as now', [])
  return new Date(row?.now ?? Number.NaN).toISOString()
}

/** Nothing for an owner who has no memories any more, or of whom a later result is there. */
const PUT_GRAPH = `
with ${OWNER},
held as materialized (
  select from memories where owner_id = $1 and ${OWNER_IS_THERE} limit 1 for key share
)
insert into memory_graphs as g
  (owner_id, node_count, edge_count, is_sampled, duration_ms, computed_at)
select $1, $2, $3, $4, $5, $6 from held
on conflict (owner_id) do update set node_count = excluded.node_count,
  edge_count = excluded.edge_count, is_sampled = excluded.is_sampled,
  duration_ms = excluded.duration_ms, computed_at = excluded.computed_at
where g.computed_at <= excluded.computed_at
returning owner_id`

const PUT_SCORES = `
insert into memory_betweenness as b (owner_id, memory_id, betweenness)
select $1, s.memory_id, s.betweenness
from jsonb_to_recordset($2::jsonb) as s(memory_id uuid, betweenness float8)
where exists (select from memories m where m.owner_id = $1 and m.memory_id = s.memory_id)
on conflict (owner_id, memory_id) do update set betweenness = excluded.betweenness
where b.betweenness <> excluded.betweenness`

const DROP_SCORES = `
delete from memory_betweenness b using jsonb_array_elements_text($2::jsonb) as s(id)
where b.owner_id = $1 and b.memory_id = s.id::uuid`

/** Keeps a result in the place of the one before. */
export const replaceScores = async (
  database: Database,
  ownerId: string,
  { scores, ...graph }: GraphResult,
): Promise<void> => {
  await database.transaction(async (query) => {
    const [held] = await query(PUT_GRAPH, [
      ownerId,
      graph.nodeCount,
      graph.edgeCount,
      graph.isSampled,
      graph.durationMs,
      graph.readAt,
    ])
    if (!held) return
    const before = await query<{ memory_id: string }>(
      'select memory_id from memory_betweenness where owner_id = $1',
      [ownerId],
    )
    const gone = before.map(({ memory_id }) => memory_id).filter((id) => !scores.has(id))
    const rows = Array.from(scores, ([memory_id, betweenness]) => ({ memory_id, betweenness }))
    for (const part of partsOf(gone)) {
      await query(DROP_SCORES, [ownerId, JSON.stringify(part)])
      await turn()
    }
    for (const part of partsOf(rows)) {
      await query(PUT_SCORES, [ownerId, JSON.stringify(part)])
      await turn()
    }
  })
}

const partsOf = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / PART) }, (_, i) =>
    items.slice(i * PART, (i + 1) * PART),
  )

/** How an owner's graph stands. */
export interface Standing {
  isEnabled: boolean
  /** Some memories were not looked at since they were written. */
  isPending: boolean
  memoryCount: number
  /** The result that there is. */
  graph:
    | {
        nodeCount: number
        edgeCount: number
        isSampled: boolean
        durationMs: number
        computedAt: Date
      }
    | undefined
}

const STANDING = `
select
  coalesce((select is_enabled from engine_states where engine = $2), true) as is_enabled,
  exists (select from memory_tasks where owner_id = $1 and engine = $2) as is_pending,
  coalesce((select memory_count from memory_stats where owner_id = $1), 0) as memory_count,
  g.*
from (select 1) one left join memory_graphs g on g.owner_id = $1`

export const findStanding = async (query: Query, ownerId: string): Promise<Standing> => {
  const [row] = await query<{
    is_enabled: boolean
    is_pending: boolean
    memory_count: string
    node_count: number
    edge_count: number
    is_sampled: boolean
    duration_ms: number
    computed_at: string | Date | null
  }>(STANDING, [ownerId, GRAPH])
  if (!row) throw new Error('a statement that gives one row gave none')
  return {
    isEnabled: row.is_enabled,
    isPending: row.is_pending,
    memoryCount: Number(row.memory_count),
    graph: row.computed_at
      ? {
          nodeCount: row.node_count,
          edgeCount: row.edge_count,
          isSampled: row.is_sampled,
          durationMs: row.duration_ms,
          computedAt: new Date(row.computed_at),
        }
      : undefined,
  }
}
