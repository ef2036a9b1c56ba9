import { eq, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { OWNER, OWNER_IS_THERE } from '../memories/owner.ts'
import { type MemoryWithThread, withName } from '../memories/store.ts'
import { memoryStats } from '../memories/table.ts'
import { engineStates, memoryTasks } from './table.ts'

export interface Task {
  seq: number
  revision: number
  /** Undefined when it is forgotten or superseded by now. */
  memory: MemoryWithThread | undefined
}

/** The oldest of what an engine has still to look at, in one owner's memories from `after` on. */
export const nextTasks = async (
  query: Query,
  ownerId: string,
  engine: string,
  limit: number,
  after = 0,
): Promise<Task[]> => {
  const rows = await query<Record<string, unknown> & { revision: number; task_seq: string }>(
    `select q.seq as task_seq, q.revision, m.*, t.thread
    from (
      select seq, revision from memory_tasks
      where owner_id = $1 and engine = $2 and seq > $4 order by seq limit $3
    ) q
    left join lateral (
      select * from memories m
      where m.owner_id = $1 and m.seq = q.seq and m.deleted_at is null and m.superseded_by is null
      limit 1
    ) m on true
    left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
    order by q.seq`,
    [ownerId, engine, limit, after],
  )
  return rows.map((row) => ({
    seq: Number(row.task_seq),
    revision: row.revision,
    memory: row.memory_id ? withName(row) : undefined,
  }))
}

/**
 * Takes done tasks away, but not those of memories that changed meanwhile. A task that another server
 * finished and a later change made anew has the same revision, so the memory's time is compared too.
 */
const FINISH = `
with ${OWNER},
done as materialized (
  select d.seq, d.revision
  from jsonb_to_recordset($3::jsonb) as d(seq bigint, revision int, seen timestamptz)
  where ${OWNER_IS_THERE} and d.seen is not distinct from (
    select updated_at from memories m
    where m.owner_id = $1 and m.seq = d.seq and m.deleted_at is null and m.superseded_by is null
  )
)
delete from memory_tasks t
-- One stretch of the index, and "is true" keeps the rest a lookup, whatever the planner expects.
where t.owner_id = $1 and t.engine = $2 and t.seq between $4 and $5
  and ((t.seq, t.revision) in (select seq, revision from done)) is true`

export const finishTasks = (query: Query, ownerId: string, engine: string, tasks: Task[]) => {
  const done = tasks.map(({ seq, revision, memory }) => ({
    seq,
    revision,
    seen: memory?.updatedAt.toISOString() ?? null,
  }))
  const [first, last] = [done.at(0)?.seq ?? 0, done.at(-1)?.seq ?? 0]
  return query(FINISH, [ownerId, engine, JSON.stringify(done), first, last])
}

/** One look for each owner and engine, however much waits. */
const WAITING = `
with recursive owners as (
  (select owner_id from memory_tasks order by owner_id limit 1)
  union all
  select (select t.owner_id from memory_tasks t where t.owner_id > o.owner_id order by 1 limit 1)
  from owners o where o.owner_id is not null
)
select o.owner_id, e.engine
from owners o cross join jsonb_array_elements_text($1::jsonb) as e(engine)
where coalesce((select is_enabled from engine_states s where s.engine = e.engine), true)
  and exists (select from memory_tasks t where t.owner_id = o.owner_id and t.engine = e.engine)`

/** Whose memories are waiting for one of the engines that is on. */
export const ownersWaiting = async (
  query: Query,
  engines: string[],
): Promise<{ ownerId: string; engine: string }[]> => {
  const rows = await query<{ owner_id: string; engine: string }>(WAITING, [JSON.stringify(engines)])
  return rows.map(({ owner_id, engine }) => ({ ownerId: owner_id, engine }))
}

/** Whether there is such an owner, who is then not deleted before the transaction ends. */
export const holdOwner = async (tx: Db, ownerId: string): Promise<boolean> => {
  const rows = await tx
    .select({ ownerId: memoryStats.ownerId })
    .from(memoryStats)
    .where(eq(memoryStats.ownerId, ownerId))
    .for('key share')
  return rows.length > 0
}

/** How many memories wait for each engine. */
export const countWaiting = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .select({ engine: memoryTasks.engine, count: sql<number>`count(*)::int` })
    .from(memoryTasks)
    .groupBy(memoryTasks.engine)
  return new Map(rows.map(({ engine, count }) => [engine, count]))
}

export type EngineState = typeof engineStates.$inferSelect

export const listStates = (db: Db): Promise<EngineState[]> => db.select().from(engineStates)

export const isSwitchedOff = async (db: Db, engine: string): Promise<boolean> => {
  const [state] = await db.select().from(engineStates).where(eq(engineStates.engine, engine))
  return state?.isEnabled === false
}

export const putState = async (
  db: Db,
  state: { engine: string; isEnabled: boolean; reason: string; changedBy: string },
): Promise<void> => {
  const change = { ...state, changedAt: new Date() }
  await db
    .insert(engineStates)
    .values(change)
    .onConflictDoUpdate({ target: engineStates.engine, set: change })
}
