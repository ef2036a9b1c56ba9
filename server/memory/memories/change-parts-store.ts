import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import type { Actor } from './actor.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'

/*
 * Parts of the statements that change memories, as CTEs. `removed` are the memories as recall must not
 * find them any more, `added` as recall finds them afterwards. Parameters: `:ownerId`, and for some
 * `:memoryId`, `:engines` and those of `changeValues`.
 */

/** A change of one memory. Ids are in lower case, as the database writes them. */
export interface MemoryChange {
  ownerId: string
  memoryId: string
  actor: Actor
}

const LOCK = `
with ${lockOwner(':ownerId')}
select from memories where owner_id = :ownerId and memory_id = :memoryId and ${OWNER_EXISTS} for update`

/**
 * Locks a memory and changes it, within a transaction. The lock is a statement of its own: the next one
 * then sees what a writer that it waited for has written.
 */
export const changeMemory = async (
  query: Query,
  statement: string,
  values: { ownerId: string; memoryId: string } & Record<string, unknown>,
): Promise<Record<string, unknown>[]> => {
  await namedQuery(query, LOCK, values)
  return namedQuery(query, statement, values)
}

/** The values of a change that the parts need. */
export const changeValues = ({ ownerId, memoryId, actor }: MemoryChange) => ({
  ownerId,
  memoryId,
  eventId: Bun.randomUUIDv7(),
  actorKind: actor.kind,
  actorRef: actor.ref,
})

/**
 * Deletes the vectors of all models, and those of the turns after the memories, which are made with their texts. A
 * turn gets its vector again when the server starts, or when it changes.
 */
export const removeVectors = (condition = ''): string => `
lost_vectors as materialized (
  select r.seq from removed r where true ${condition}
  union
  select n.seq from removed r cross join lateral (
    select seq from memories
    where owner_id = :ownerId and thread_no = r.thread_no and position = r.position + 1
      and author is not null
  ) n
  where r.thread_no <> 0 and r.author is not null ${condition}
),
removed_vectors as (
  delete from memory_vectors v using lost_vectors r
  where v.owner_id = :ownerId and v.seq = r.seq
)`

/** Queues the memory for `:engines` (a JSON array). */
export const queueTasks = (condition = ''): string => `
queued as (
  insert into memory_tasks as t (owner_id, engine, seq)
  select :ownerId, e.engine, seq
  from added cross join jsonb_array_elements_text(:engines::jsonb) as e(engine)
  where superseded_by is null ${condition}
  on conflict (owner_id, engine, seq) do update set revision = t.revision + 1
)`

/** How many changes of an owner's memories are kept. */
const KEPT_CHANGES = 10_000

/**
 * CTEs that number the changes of the memories in a CTE, and forget old ones, after a CTE `stats` that has locked the
 * owner's row of `memory_stats` and returns the number of changes.
 */
export const logChanges = (changed: string, ownerId = ':ownerId'): string => `
logged as (
  insert into memory_changes (owner_id, change_no, seq)
  select ${ownerId}, s.change_count - row_number() over () + 1, c.seq from ${changed} c cross join stats s
),
forgotten as (
  delete from memory_changes c using stats s
  where c.owner_id = ${ownerId} and c.change_no <= s.change_count - ${KEPT_CHANGES}
)`

/** The same for the memories of several owners. */
export const logChangesOfOwners = (changed: string): string => `
logged as (
  insert into memory_changes (owner_id, change_no, seq)
  select c.owner_id, s.change_count - row_number() over (partition by c.owner_id) + 1, c.seq
  from ${changed} c join stats s on s.owner_id = c.owner_id
),
forgotten as (
  delete from memory_changes c using stats s
  where c.owner_id = s.owner_id and c.change_no <= s.change_count - ${KEPT_CHANGES}
)`

/** CTEs that record changes that leave the number of memories as it is. @param changed a CTE of the memories. */
export const recordChanges = (changed: string, ownerId = ':ownerId'): string => `
stats as (
  update memory_stats set change_count = change_count + (select count(*) from ${changed})
  where owner_id = ${ownerId} returning change_count
),
${logChanges(changed, ownerId)}`

interface Counts {
  /** SQL for the number of live memories that are added. */
  memories: string
  /** The CTE of the memories that change for recall. */
  changed: string
  languages?: string
}

export const updateStats = ({ memories, changed, languages = 'languages' }: Counts) => `
stats as (
  update memory_stats set memory_count = memory_count + ${memories}, languages = ${languages},
    change_count = change_count + (select count(*) from ${changed})
  where owner_id = :ownerId
  returning change_count
),
${logChanges(changed)}`

const liveCount = (rows: string) => `(select count(*) from ${rows} where superseded_by is null)`

/** Counts memories that were removed, live or superseded. */
export const COUNT_REMOVED = updateStats({
  memories: `- ${liveCount('removed')}`,
  changed: 'removed',
})

/** Counts memories that were added, live or superseded. */
export const COUNT_ADDED = updateStats({ memories: liveCount('added'), changed: 'added' })

export const addHistory = (action: string, from: string, before = 'null::jsonb'): string => `
history as (
  insert into memory_history (owner_id, memory_id, id, action, actor_kind, actor_ref, before)
  select :ownerId, memory_id, :eventId, '${action}', :actorKind, :actorRef, ${before} from ${from}
)`

/** Selects `added` with the name of its thread. */
export const SELECT_ADDED = `
select a.*, t.thread from added a
left join memory_threads t on t.owner_id = a.owner_id and t.thread_no = a.thread_no`
