import { eq, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { type MemoryWithThread, withName } from '../memories/store.ts'
import { engineStates, memoryTasks } from './table.ts'

export interface Task {
  seq: number
  revision: number
  /** Undefined when it was forgotten or superseded meanwhile. */
  memory: MemoryWithThread | undefined
}

/** The oldest of what an engine has still to look at, in one owner's memories. */
export const nextTasks = async (
  query: Query,
  ownerId: string,
  engine: string,
  limit: number,
): Promise<Task[]> => {
  const rows = await query<Record<string, unknown> & { revision: number; task_seq: string }>(
    `select q.seq as task_seq, q.revision, m.*, t.thread
    from (
      select seq, revision from memory_tasks
      where owner_id = $1 and engine = $2 order by seq limit $3
    ) q
    left join lateral (
      select * from memories m
      where m.owner_id = $1 and m.seq = q.seq and m.deleted_at is null and m.superseded_by is null
      limit 1
    ) m on true
    left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
    order by q.seq`,
    [ownerId, engine, limit],
  )
  return rows.map((row) => ({
    seq: Number(row.task_seq),
    revision: row.revision,
    memory: row.memory_id ? withName(row) : undefined,
  }))
}

/** Takes done tasks away, but not those of memories that changed meanwhile. */
export const finishTasks = (query: Query, ownerId: string, engine: string, tasks: Task[]) =>
  query(
    `delete from memory_tasks t
    using jsonb_to_recordset($3::jsonb) as d(seq bigint, revision int)
    where t.owner_id = $1 and t.engine = $2 and t.seq = d.seq and t.revision = d.revision`,
    [ownerId, engine, JSON.stringify(tasks.map(({ seq, revision }) => ({ seq, revision })))],
  )

/** Whose memories are waiting for one of the engines. */
export const ownersWaiting = async (query: Query, engines: string[]): Promise<string[]> => {
  const rows = await query<{ owner_id: string }>(
    `select distinct owner_id from memory_tasks
    where engine in (select jsonb_array_elements_text($1::jsonb))`,
    [JSON.stringify(engines)],
  )
  return rows.map(({ owner_id }) => owner_id)
}

/** How many memories wait for each engine. */
export const countWaiting = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .select({ engine: memoryTasks.engine, count: sql<number>`count(*)::int` })
    .from(memoryTasks)
    .groupBy(memoryTasks.engine)
  return new Map(rows.map(({ engine, count }) => [engine, count]))
}

export const listStates = (db: Db) => db.select().from(engineStates)

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

export const eraseTasks = (tx: Db, ownerId: string) =>
  tx.delete(memoryTasks).where(eq(memoryTasks.ownerId, ownerId))
