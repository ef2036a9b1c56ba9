import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database, Query } from '../../platform/db/database.ts'
import { jsonRows } from '../../platform/db/statements.ts'
import { lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'

/** The engine's name. */
export const GRAPH_ENGINE = 'graph'

/**
 * A task to compute an owner's scores. It applies to all memories, so its `seq` is 0, which no memory
 * has.
 */
export const SCORES_TASK = 'scores'

/** Rows written at a time: between parts the event loop runs other work. */
const PART = 1_000

interface GraphResult {
  nodeCount: number
  edgeCount: number
  isSampled: boolean
  durationMs: number
  /** The database time before the memories were read. */
  readAt: string
  /** The revision of the task at that time; null without a task. */
  revision: number | null
  scores: Map<string, number>
}

/** The database time, and the revision of the task that a result from now on completes. */
export const readScoringStart = async (
  query: Query,
  ownerId: string,
): Promise<{ readAt: string; revision: number | null }> => {
  const [row] = await query<{ now: string | Date; revision: number | null }>(
    `select clock_timestamp() as now,
      (select revision from memory_tasks where owner_id = $1 and engine = $2 and seq = 0) as revision`,
    [ownerId, SCORES_TASK],
  )
  return {
    readAt: new Date(row?.now ?? Number.NaN).toISOString(),
    revision: row?.revision ?? null,
  }
}

/** Owners with a task to compute scores, if the engine is enabled. */
export const listOwnersToScore = async (query: Query): Promise<string[]> => {
  const rows = await query<{ owner_id: string }>(
    `select g.owner_id from memory_stats g
    where exists (select from memory_tasks where owner_id = g.owner_id and engine = $1 and seq = 0)
      and coalesce((select is_enabled from engine_states where engine = $2), true)`,
    [SCORES_TASK, GRAPH_ENGINE],
  )
  return rows.map(({ owner_id }) => owner_id)
}

/** Writes nothing for an owner without memories, or with a later result. */
const PUT_GRAPH = `
with ${lockOwner('$1')},
locked as materialized (
  select 1 as found from memories where owner_id = $1 and ${OWNER_EXISTS} limit 1 for key share
)
insert into memory_graphs as g
  (owner_id, node_count, edge_count, is_sampled, duration_ms, computed_at)
select $1, $2, $3, $4, $5, $6 from locked
on conflict (owner_id) do update set node_count = excluded.node_count,
  edge_count = excluded.edge_count, is_sampled = excluded.is_sampled,
  duration_ms = excluded.duration_ms, computed_at = excluded.computed_at
where g.computed_at < excluded.computed_at
returning owner_id`

const PUT_SCORES = `
insert into memory_betweenness as b (owner_id, memory_id, betweenness)
select $1, s.memory_id, s.betweenness
from ${jsonRows('$2::jsonb', { memory_id: 'uuid', betweenness: 'float8' })} s
where exists (select from memories m where m.owner_id = $1 and m.memory_id = s.memory_id)
on conflict (owner_id, memory_id) do update set betweenness = excluded.betweenness
where b.betweenness <> excluded.betweenness`

const DELETE_TASK_WITHOUT_MEMORIES = `
delete from memory_tasks where owner_id = $1 and engine = $2 and seq = 0
  and not exists (select from memories where owner_id = $1)`

const DROP_SCORES = `
delete from memory_betweenness b using jsonb_array_elements_text($2::jsonb) as s(id)
where b.owner_id = $1 and b.memory_id = s.id::uuid`

/** Replaces the previous result of an owner. */
export const replaceScores = async (
  database: Pick<Database, 'transaction'>,
  ownerId: string,
  { scores, revision, ...graph }: GraphResult,
): Promise<void> => {
  await database.transaction(async (query) => {
    const deleteTask = () =>
      query(
        'delete from memory_tasks where owner_id = $1 and engine = $2 and seq = 0 and revision = $3',
        [ownerId, SCORES_TASK, revision],
      )
    const [stored] = await query(PUT_GRAPH, [
      ownerId,
      graph.nodeCount,
      graph.edgeCount,
      graph.isSampled,
      graph.durationMs,
      graph.readAt,
    ])
    // The owner has no memories, or another server has stored a later result: then the task is of a change
    // that followed, and has the same revision if that server had deleted the one before.
    if (!stored) return void (await query(DELETE_TASK_WITHOUT_MEMORIES, [ownerId, SCORES_TASK]))
    const before = await query<{ memory_id: string }>(
      'select memory_id from memory_betweenness where owner_id = $1',
      [ownerId],
    )
    const removed = before.map(({ memory_id }) => memory_id).filter((id) => !scores.has(id))
    const rows = Array.from(scores, ([memory_id, betweenness]) => ({ memory_id, betweenness }))
    for (const part of partsOf(removed)) {
      await query(DROP_SCORES, [ownerId, JSON.stringify(part)])
      await yieldToEventLoop()
    }
    for (const part of partsOf(rows)) {
      await query(PUT_SCORES, [ownerId, JSON.stringify(part)])
      await yieldToEventLoop()
    }
    await deleteTask()
  })
}

const partsOf = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / PART) }, (_, i) =>
    items.slice(i * PART, (i + 1) * PART),
  )

/** The state of an owner's graph. */
export interface GraphState {
  isEnabled: boolean
  /** Memories wait to be linked. */
  isPending: boolean
  /** Links changed since the scores were computed. */
  isOutdated: boolean
  memoryCount: number
  /** The last result. */
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

const GRAPH_STATE = `
select
  coalesce((select is_enabled from engine_states where engine = $2), true) as is_enabled,
  exists (select from memory_tasks where owner_id = $1 and engine = $2) as is_pending,
  exists (select from memory_tasks where owner_id = $1 and engine = '${SCORES_TASK}') as is_outdated,
  coalesce((select memory_count from memory_stats where owner_id = $1), 0) as memory_count,
  g.*
from (select 1) one left join memory_graphs g on g.owner_id = $1`

export const findGraphState = async (query: Query, ownerId: string): Promise<GraphState> => {
  const [row] = await query<{
    is_enabled: boolean
    is_pending: boolean
    is_outdated: boolean
    memory_count: string
    node_count: number
    edge_count: number
    is_sampled: boolean
    duration_ms: number
    computed_at: string | Date | null
  }>(GRAPH_STATE, [ownerId, GRAPH_ENGINE])
  if (!row) throw new Error('the graph state statement returned no row')
  return {
    isEnabled: row.is_enabled,
    isPending: row.is_pending,
    isOutdated: row.is_outdated,
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

/** Pages, so that no statement takes long. */
const PAGE = 2_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const NODES = `
select seq, memory_id, thread_no, position from memories
where owner_id = $1 and seq < $2 and deleted_at is null and superseded_by is null
order by seq desc limit $3`

export interface NetworkNodeRow {
  seq: string
  memory_id: string
  thread_no: string
  position: number | null
}

/** The latest `maxNodes` live memories of an owner, the latest first, in pages. */
export async function* pageNodes(
  query: Query,
  ownerId: string,
  maxNodes: number,
): AsyncGenerator<NetworkNodeRow[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (let count = 0; count < maxNodes; ) {
    const limit = Math.min(PAGE, maxNodes - count)
    const rows = await query<NetworkNodeRow>(NODES, [ownerId, before, limit])
    yield rows
    if (rows.length < limit) return
    count += rows.length
    before = Number(rows.at(-1)?.seq)
  }
}

const LINKS = `
select memory_id, other_id, kind from memory_links
where owner_id = $1 and (memory_id, other_id, kind) > ($2, $3, $4)
order by memory_id, other_id, kind limit $5`

interface LinkRow {
  memory_id: string
  other_id: string
  kind: string
}

/** All links of an owner, in pages. */
export async function* pageLinks(query: Query, ownerId: string): AsyncGenerator<LinkRow[]> {
  let last: LinkRow = { memory_id: FIRST_ID, other_id: FIRST_ID, kind: '' }
  for (;;) {
    const { memory_id, other_id, kind } = last
    const rows = await query<LinkRow>(LINKS, [ownerId, memory_id, other_id, kind, PAGE])
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1) ?? last
  }
}
