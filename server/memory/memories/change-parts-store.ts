import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import type { Actor } from './actor.ts'
import {
  postingRows,
  recordChanges,
  termRows,
  updateAuthorStats,
  wordCount,
} from './index-store.ts'
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
 * then sees the postings of a writer that it waited for.
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
 * The term depends on both joined rows, so that each posting is looked up by its term and its memory: the
 * planner might otherwise read all postings of a term once for each memory that has it.
 */
const removePostingsOf = (table: string, cte: string): string => `
${cte} as materialized (
  delete from ${table} p
  using removed r cross join lateral ${termRows('r')} w
  where p.owner_id = :ownerId and p.term = case when r.seq is not null then w.lexeme end and p.seq = r.seq
  returning p.*
)`

/** Removes the postings of a live memory, which it returns as `removed_postings`. */
export const REMOVE_POSTINGS = removePostingsOf('memory_postings', 'removed_postings')
/** Removes the postings of a superseded memory. */
export const REMOVE_PAST_POSTINGS = removePostingsOf(
  'memory_past_postings',
  'removed_past_postings',
)

/** Writes the postings: `added_postings` where the memory is live. */
export const ADD_POSTINGS = `
words as materialized (
  select a.seq, a.superseded_by is null as is_live, p.lexeme, p.frequency, p.length
  from added a join (${postingRows('added')}) p on p.memory_id = a.memory_id
),
added_postings as materialized (
  insert into memory_postings (owner_id, term, seq, frequency, length)
  select :ownerId, lexeme, seq, frequency, length from words where is_live
  returning term, frequency
),
added_past_postings as (
  insert into memory_past_postings (owner_id, term, seq, frequency, length)
  select :ownerId, lexeme, seq, frequency, length from words where not is_live
)`

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

interface Counts {
  /** SQL for the number of live memories and of words that are added. */
  memories: string
  words: string
  /** Selects the memories with their `sign` for `updateAuthorStats`. */
  signed: string
  /** The CTE of the memories that change for recall. */
  changed: string
  languages?: string
}

export const updateStats = ({
  memories,
  words,
  signed,
  changed,
  languages = 'languages',
}: Counts) => `
stats as (
  update memory_stats set memory_count = memory_count + ${memories},
    word_count = word_count + ${words}, languages = ${languages},
    ${recordChanges(changed)}
  where owner_id = :ownerId
  returning owner_id
),
${updateAuthorStats(signed, 'stats')}`

const liveCount = (rows: string) => `(select count(*) from ${rows} where superseded_by is null)`

/** Counts a memory that was removed, live or superseded. */
export const COUNT_REMOVED = updateStats({
  memories: `- ${liveCount('removed')}`,
  words: `- ${wordCount('removed_postings')}`,
  signed: 'select *, -1 as sign from removed',
  changed: 'removed',
})

/** Counts a memory that was added, live or superseded. */
export const COUNT_ADDED = updateStats({
  memories: liveCount('added'),
  words: wordCount('added_postings'),
  signed: 'select *, 1 as sign from added',
  changed: 'added',
})

export const addHistory = (action: string, from: string, before = 'null::jsonb'): string => `
history as (
  insert into memory_history (owner_id, memory_id, id, action, actor_kind, actor_ref, before)
  select :ownerId, memory_id, :eventId, '${action}', :actorKind, :actorRef, ${before} from ${from}
)`

/** Selects `added` with the name of its thread. */
export const SELECT_ADDED = `
select a.*, t.thread from added a
left join memory_threads t on t.owner_id = a.owner_id and t.thread_no = a.thread_no`
