import { eq, sql } from 'drizzle-orm'
import type { Database, Db, Query } from '../../platform/db/database.ts'
import { jsonRows } from '../../platform/db/statements.ts'
import { type Eraser, lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'
import { type MemoryWithThread, memoryFromRow } from '../memories/store.ts'
import { engineStates, memoryTasks } from './table.ts'

export interface EngineTask {
  seq: number
  revision: number
  /** Undefined if the memory was deleted or superseded meanwhile. */
  memory: MemoryWithThread | undefined
}

/** A task that an engine has processed. */
export interface DoneTask extends EngineTask {
  engine: string
}

/** The next `size` tasks of an engine after one, oldest or newest first. */
interface TaskPage {
  engine: string
  newestFirst: boolean
  /** The `seq` of that task; undefined for the first page. */
  after: number | undefined
  size: number
}

/** Reads each memory once, for all engines. A disabled engine gets no tasks. */
const NEXT_TASKS = `
with due as materialized (
  select e.engine, t.seq, t.revision
  from jsonb_to_recordset($2::jsonb) as e(engine text, "newestFirst" boolean, "after" bigint, size int)
  cross join lateral (
    (select seq, revision from memory_tasks
     where owner_id = $1 and engine = e.engine and not e."newestFirst" and seq > coalesce(e."after", 0)
     order by seq limit e.size)
    union all
    (select seq, revision from memory_tasks
     where owner_id = $1 and engine = e.engine and e."newestFirst" and seq < coalesce(e."after", ${Number.MAX_SAFE_INTEGER})
     order by seq desc limit e.size)
  ) t
  where coalesce((select is_enabled from engine_states s where s.engine = e.engine), true)
)
select q.seq as task_seq, q.tasks, m.*, t.thread
from (select seq, jsonb_object_agg(engine, revision) as tasks from due group by seq) q
left join lateral (
  select * from memories m
  where m.owner_id = $1 and m.seq = q.seq and m.deleted_at is null and m.superseded_by is null
  limit 1
) m on true
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
order by q.seq`

/** The next tasks of an owner, by engine, in the order of their pages. */
export const nextTasks = async (
  query: Query,
  ownerId: string,
  pages: TaskPage[],
): Promise<Map<string, EngineTask[]>> => {
  const rows = await query<
    Record<string, unknown> & { tasks: Record<string, number>; task_seq: string }
  >(NEXT_TASKS, [ownerId, JSON.stringify(pages)])
  const byEngine = new Map<string, EngineTask[]>(pages.map(({ engine }) => [engine, []]))
  for (const row of rows) {
    const memory = row.memory_id ? memoryFromRow(row) : undefined
    for (const [engine, revision] of Object.entries(row.tasks))
      byEngine.get(engine)?.push({ seq: Number(row.task_seq), revision, memory })
  }
  for (const { engine, newestFirst } of pages) if (newestFirst) byEngine.get(engine)?.reverse()
  return byEngine
}

/**
 * Deletes processed tasks, except of memories that changed meanwhile. A task that another server
 * finished and a later change queued again has the same revision, so `updated_at` is compared too.
 *
 * The arrays make this a lookup by the key, whatever the planner estimates. PostgreSQL evaluates the last
 * condition again for a row that a concurrent transaction changes.
 */
const FINISH_TASKS = `
with ${lockOwner('$1')},
done as materialized (
  select d.engine, d.seq, d.revision
  from ${jsonRows('$2::jsonb', {
    engine: 'text',
    seq: 'bigint',
    revision: 'int',
    seen: 'timestamptz',
  })} d
  where ${OWNER_EXISTS} and d.seen is not distinct from (
    select updated_at from memories m
    where m.owner_id = $1 and m.seq = d.seq and m.deleted_at is null and m.superseded_by is null
  )
)
delete from memory_tasks t
where t.owner_id = $1
  and t.engine = any(array(select distinct engine from done)) and t.seq = any(array(select seq from done))
  and ((t.engine, t.seq, t.revision) in (select engine, seq, revision from done)) is true
returning 1`

/** @returns how many were deleted. */
export const finishTasks = async (
  query: Query,
  ownerId: string,
  tasks: DoneTask[],
): Promise<number> => {
  const done = tasks.map(({ engine, seq, revision, memory }) => ({
    engine,
    seq,
    revision,
    seen: memory?.updatedAt.toISOString() ?? null,
  }))
  return (await query(FINISH_TASKS, [ownerId, JSON.stringify(done)])).length
}

/** A loose index scan: one lookup per owner and engine, whatever the number of tasks. */
const OWNERS_WITH_TASKS = `
with recursive owners as (
  (select owner_id from memory_tasks order by owner_id limit 1)
  union all
  select (select t.owner_id from memory_tasks t where t.owner_id > o.owner_id order by 1 limit 1)
  from owners o where o.owner_id is not null
)
select o.owner_id
from owners o
where exists (
  select from jsonb_array_elements_text($1::jsonb) as e(engine)
  where coalesce((select is_enabled from engine_states s where s.engine = e.engine), true)
    and exists (select from memory_tasks t where t.owner_id = o.owner_id and t.engine = e.engine)
)`

/** Citus runs no recursion over several nodes. Each node looks up its owners. */
const DISTRIBUTED_OWNERS_WITH_TASKS = `
select s.owner_id from memory_stats s
where exists (
  select from memory_tasks t
  where t.owner_id = s.owner_id and t.engine in (select jsonb_array_elements_text($1::jsonb))
    and t.engine not in (select engine from engine_states where not is_enabled)
)`

/** The owners with a task for one of these engines that is enabled. */
export const listOwnersWithTasks = async (
  { query, isDistributed }: Pick<Database, 'query' | 'isDistributed'>,
  engines: string[],
): Promise<string[]> => {
  const statement = isDistributed ? DISTRIBUTED_OWNERS_WITH_TASKS : OWNERS_WITH_TASKS
  const rows = await query<{ owner_id: string }>(statement, [JSON.stringify(engines)])
  return rows.map(({ owner_id }) => owner_id)
}

/** The number of pending tasks, by engine. */
export const countPendingTasks = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .select({ engine: memoryTasks.engine, count: sql<number>`count(*)::int` })
    .from(memoryTasks)
    .groupBy(memoryTasks.engine)
  return new Map(rows.map(({ engine, count }) => [engine, count]))
}

type EngineState = typeof engineStates.$inferSelect

export const listEngineStates = (db: Db): Promise<EngineState[]> => db.select().from(engineStates)

export const saveEngineState = async (db: Db, state: EngineState): Promise<void> => {
  await db
    .insert(engineStates)
    .values(state)
    .onConflictDoUpdate({ target: engineStates.engine, set: state })
}

/**
 * Reads the tasks twice, and sorts none. The memory of the oldest task is looked up by its key, and by an
 * inner join, or Citus would read them all.
 */
const BACKLOGS = `
with oldest as (
  select engine, count(*)::int as pending, min(seq) as seq from memory_tasks group by engine
),
changed as materialized (
  select t.engine, m.updated_at
  from oldest o join memory_tasks t on t.engine = o.engine and t.seq = o.seq
  join memories m on m.owner_id = t.owner_id and m.seq = t.seq
)
select o.engine, o.pending,
  coalesce(extract(epoch from now() - c.updated_at), 0)::float8 as "oldestSeconds"
from oldest o left join changed c on c.engine = o.engine`

export interface EngineBacklog {
  engine: string
  pending: number
  /** Since the last change of the memory. */
  oldestSeconds: number
}

export const listBacklogs = (query: Query): Promise<EngineBacklog[]> =>
  query<EngineBacklog>(BACKLOGS, [])

/** Deletes the tasks of an owner. */
export const eraseTasks: Eraser = async (tx, ownerId) => {
  await tx.delete(memoryTasks).where(eq(memoryTasks.ownerId, ownerId))
}
