import {
  and,
  arrayContains,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  lt,
  sql,
} from 'drizzle-orm'
import type { MemoryFacets, MemoryOrder, Trust } from '../../../shared/contract/memories.ts'
import { keysOf, recordOf } from '../../../shared/objects.ts'
import {
  type Database,
  type Db,
  fromColumns,
  fromRow,
  type Query,
} from '../../platform/db/database.ts'
import { type MemoryRow, memories, memoryHistory, memoryThreads } from './table.ts'

/** A memory with the name of its thread. */
export type MemoryWithThread = MemoryRow & { thread: string | null }

/** Reads a row of `memories` with a column `thread`. */
export const memoryFromRow = (row: Record<string, unknown>): MemoryWithThread => ({
  ...fromRow(memories, row),
  thread: row.thread as string | null,
})

/** Columns that the API does not show. */
const {
  ownerId,
  userId,
  threadNo,
  deletedAt,
  searchText,
  contentHash,
  exactForms,
  language,
  asks,
  endsAsking,
  followsQuestion,
  firstPersons,
  isStanding,
  ...shownColumns
} = getTableColumns(memories)

/** A memory as far as the API shows it: reading the other columns takes a third of the time. */
export type ShownMemory = Pick<MemoryWithThread, keyof typeof shownColumns | 'thread'>

/** The columns of a memory `m` for `shownFromRow`, which also needs a column `thread`. */
export const SHOWN_COLUMNS = Object.values(shownColumns)
  .map(({ name }) => `m.${name}`)
  .join(', ')

export const shownFromRow = (row: Record<string, unknown>): ShownMemory => ({
  ...fromColumns(shownColumns, row),
  thread: row.thread as string | null,
})

const IN_THREAD = and(
  eq(memoryThreads.ownerId, memories.ownerId),
  eq(memoryThreads.threadNo, memories.threadNo),
)

const withThread = (db: Db) =>
  db
    .select({ memory: memories, thread: memoryThreads.thread })
    .from(memories)
    .leftJoin(memoryThreads, IN_THREAD)
    .$dynamic()

/** Finds a memory, deleted or not. */
export const findMemory = async (
  db: Db,
  ownerId: string,
  memoryId: string,
): Promise<MemoryWithThread | undefined> => {
  const [row] = await withThread(db).where(
    and(eq(memories.ownerId, ownerId), eq(memories.memoryId, memoryId)),
  )
  return row && { ...row.memory, thread: row.thread }
}

/** Memories by their ids, in any order, without those that were deleted. */
export const findMemories = async (
  db: Db,
  ownerId: string,
  memoryIds: string[],
): Promise<MemoryWithThread[]> => {
  const rows = await withThread(db).where(
    and(
      eq(memories.ownerId, ownerId),
      inArray(memories.memoryId, memoryIds),
      isNull(memories.deletedAt),
    ),
  )
  return rows.map((row) => ({ ...row.memory, thread: row.thread }))
}

const IS_RESTORABLE = sql`${memories.deletedAt} > now() - interval '30 days'`

/** Finds a deleted memory that can be restored. */
export const findDeletedMemory = async (
  db: Db,
  ownerId: string,
  memoryId: string,
): Promise<MemoryWithThread | undefined> => {
  const [row] = await withThread(db).where(
    and(eq(memories.ownerId, ownerId), eq(memories.memoryId, memoryId), IS_RESTORABLE),
  )
  return row && { ...row.memory, thread: row.thread }
}

const HAPPENED = sql`coalesce(${memories.occurredAt}, ${memories.createdAt})`

/** Selects the memories of a list. */
export interface MemoryFilter {
  thread?: string | undefined
  memoryType?: MemoryRow['memoryType'] | undefined
  tag?: string | undefined
  author?: string | undefined
  agentSlug?: string | undefined
  /** The assistant that they were captured from. */
  client?: string | undefined
  /** Only memories with one of these levels of trust. */
  trusts?: Trust[] | undefined
  since?: string | undefined
  until?: string | undefined
  /** The deleted memories that can be restored, instead of the others. */
  deleted?: boolean | undefined
}

const CLIENT = sql`case when ${memories.captureKey} is not null then ${memories.metadata} ->> 'client' end`

const matches = (ownerId: string, filter: MemoryFilter) =>
  and(
    eq(memories.ownerId, ownerId),
    filter.deleted ? IS_RESTORABLE : isNull(memories.deletedAt),
    filter.thread ? eq(memoryThreads.thread, filter.thread) : undefined,
    filter.memoryType ? eq(memories.memoryType, filter.memoryType) : undefined,
    filter.tag ? arrayContains(memories.tags, [filter.tag]) : undefined,
    filter.author ? eq(memories.author, filter.author) : undefined,
    filter.agentSlug ? eq(memories.agentSlug, filter.agentSlug) : undefined,
    filter.client ? sql`${CLIENT} = ${filter.client}` : undefined,
    filter.trusts ? inArray(memories.trust, filter.trusts) : undefined,
    filter.since ? sql`${HAPPENED} >= ${filter.since}::timestamptz` : undefined,
    filter.until ? sql`${HAPPENED} < ${filter.until}::timestamptz` : undefined,
  )

/** The keys of the index `memories_time`. */
const BY_EVENT = [HAPPENED, memories.seq] as const

const isBefore = (sort: MemoryOrder, ownerId: string, memoryId: string) =>
  sort === 'stored'
    ? lt(memories.memoryId, memoryId)
    : sql`(${HAPPENED}, ${memories.seq}) < (
        select coalesce(l.occurred_at, l.created_at), l.seq from memories l
        where l.owner_id = ${ownerId} and l.memory_id = ${memoryId})`

/** Newest first; `before` is the last memory of the previous page. */
export const listMemories = async (
  db: Db,
  ownerId: string,
  {
    sort,
    before,
    limit,
    ...filter
  }: MemoryFilter & { sort: MemoryOrder; before?: string | undefined; limit: number },
): Promise<MemoryWithThread[]> => {
  const rows = await withThread(db)
    .where(and(matches(ownerId, filter), before ? isBefore(sort, ownerId, before) : undefined))
    .orderBy(...(sort === 'stored' ? [desc(memories.memoryId)] : BY_EVENT.map((key) => desc(key))))
    .limit(limit)
  return rows.map((row) => ({ ...row.memory, thread: row.thread }))
}

const FACETS = {
  memory_type: sql`select memory_type as value from matching`,
  trust: sql`select trust as value from matching`,
  tag: sql`select unnest(tags) as value from matching`,
  author: sql`select author as value from matching`,
  thread: sql`select thread as value from matching`,
  agent_slug: sql`select agent_slug as value from matching`,
  client: sql`select client as value from matching`,
}

/** The most frequent values of the memories that match, at most `limit` of each kind. */
export const countFacets = async (
  db: Db,
  ownerId: string,
  limit: number,
  filter: MemoryFilter,
): Promise<MemoryFacets> => {
  const parts = Object.entries(FACETS).map(
    ([name, values]) => sql`select ${name}::text as facet, value, count from (
      select v.value, count(*)::int as count from (${values}) v
      where v.value is not null group by 1 order by 2 desc, 1 limit ${limit}) f`,
  )
  const rows = (await db.execute(sql`
    with matching as materialized (
      select ${memories.memoryType}, ${memories.trust}, ${memories.tags}, ${memories.author},
        ${memories.agentSlug}, ${memoryThreads.thread}, ${CLIENT} as client
      from ${memories} left join ${memoryThreads} on ${IN_THREAD}
      where ${matches(ownerId, filter)})
    select 'total' as facet, null as value, count(*)::int as count from matching
    union all ${sql.join(parts, sql` union all `)}`)) as unknown as FacetRow[]
  const of = (facet: string) =>
    rows.filter((row) => row.facet === facet).map(({ value, count }) => ({ value, count }))
  return {
    total: rows.find(({ facet }) => facet === 'total')?.count ?? 0,
    ...recordOf(keysOf(FACETS), of),
  }
}

interface FacetRow {
  facet: string
  value: string
  count: number
}

/** The contents of memories by their ids, without those that were deleted. */
export const listContents = async (
  db: Db,
  ownerId: string,
  memoryIds: string[],
): Promise<Map<string, string>> => {
  if (memoryIds.length === 0) return new Map()
  const rows = await db
    .select({ memoryId: memories.memoryId, contentText: memories.contentText })
    .from(memories)
    .where(
      and(
        eq(memories.ownerId, ownerId),
        inArray(memories.memoryId, [...new Set(memoryIds)]),
        isNull(memories.deletedAt),
      ),
    )
  return new Map(rows.map(({ memoryId, contentText }) => [memoryId, contentText]))
}

export const listHistory = (db: Db, ownerId: string, memoryId: string) =>
  db
    .select()
    .from(memoryHistory)
    .where(and(eq(memoryHistory.ownerId, ownerId), eq(memoryHistory.memoryId, memoryId)))
    .orderBy(memoryHistory.id)

/** A question that a user remembered. */
export interface OpenQuestion {
  memoryId: string
  contentHash: string
  content: string
  askedAt: Date
}

const OPEN_QUESTION_DAYS = 30
/** A longer text is not a question, it only ends with one. */
const MAX_QUESTION_CHARACTERS = 300

/**
 * Only questions that the user wrote: in conversations they are answered, and imports are full of them.
 * A later memory of the same thread counts as the answer.
 */
const OPEN_QUESTIONS = `
select m.memory_id, m.content_hash, m.content_text, coalesce(m.occurred_at, m.created_at) as asked_at
from memories m
where m.owner_id = $1 and m.ends_asking and m.deleted_at is null and m.superseded_by is null
  and m.source_kind in ('api_key', 'session') and m.trust in ('user', 'assistant') and m.agent_slug is null
  and (m.author is null or m.author in (select jsonb_array_elements_text($2::jsonb)))
  and length(m.content_text) <= ${MAX_QUESTION_CHARACTERS}
  and coalesce(m.occurred_at, m.created_at) > now() - interval '${OPEN_QUESTION_DAYS} days'
  and not exists (
    select from memories n
    where n.owner_id = $1 and n.thread_no = m.thread_no and m.thread_no <> 0
      and n.position > m.position and n.deleted_at is null
  )
order by coalesce(m.occurred_at, m.created_at) desc, m.seq desc limit $3`

type OpenQuestionRow = Record<'memory_id' | 'content_hash' | 'content_text', string> & {
  asked_at: string | Date
}

/** The latest questions that nothing answers yet. */
export const listOpenQuestions = async (
  query: Query,
  ownerId: string,
  authors: string[],
  limit: number,
): Promise<OpenQuestion[]> => {
  const rows = await query<OpenQuestionRow>(OPEN_QUESTIONS, [
    ownerId,
    JSON.stringify(authors),
    limit,
  ])
  return rows.map((row) => ({
    memoryId: row.memory_id,
    contentHash: row.content_hash,
    content: row.content_text,
    askedAt: new Date(row.asked_at),
  }))
}

/** `pg_class` of a coordinator does not count the rows of the nodes. */
const ANALYZED_ON_NODES = `
select coalesce(sum(result::float8), 0) as count from run_command_on_shards('memories',
  $$ select greatest(reltuples, 0) from pg_class where oid = '%s'::regclass $$)`

/** The number of memories when the table was last analyzed or vacuumed. */
export const countAnalyzed = async ({
  query,
  isDistributed,
}: Pick<Database, 'query' | 'isDistributed'>): Promise<number> => {
  const [row] = await query<{ count: number }>(
    isDistributed
      ? ANALYZED_ON_NODES
      : `select greatest(reltuples, 0) as count from pg_class where oid = 'memories'::regclass`,
    [],
  )
  return row?.count ?? 0
}

/**
 * Within one transaction: every connection then plans its prepared statements again once, and not once for
 * each table.
 */
export const analyzeMemories = async (query: Query): Promise<void> => {
  for (const table of ['memories', 'memory_threads', 'memory_postings'])
    await query(`analyze ${table}`, [])
}
