import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import {
  type Database,
  type Db,
  fromColumns,
  fromRow,
  type Query,
} from '../../platform/db/database.ts'
import { type MemoryRow, memories, memoryHistory, memoryThreads } from './table.ts'
import type { CountLanguages } from './terms.ts'

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
  terms,
  termsVersion,
  contentHash,
  language,
  asks,
  endsAsking,
  followsQuestion,
  foldedTags,
  foldedAuthor,
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

/** Joins a memory with its thread. */
export const IN_THREAD = and(
  eq(memoryThreads.ownerId, memories.ownerId),
  eq(memoryThreads.threadNo, memories.threadNo),
)

export const withThread = (db: Db) =>
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

export const IS_RESTORABLE = sql`${memories.deletedAt} > now() - interval '30 days'`

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

/** The numbers of live memories in each language of several owners, in their order. */
export const countLanguages = async (
  query: Query,
  ownerIds: string[],
): Promise<Record<string, number>[]> => {
  const rows = await query<{ owner_id: string; languages: Record<string, number> }>(
    'select owner_id, languages from memory_stats where owner_id = any($1::uuid[])',
    [ownerIds],
  )
  const found = new Map(rows.map(({ owner_id, languages }) => [owner_id, languages]))
  return ownerIds.map((ownerId) => found.get(ownerId) ?? {})
}

export const languagesOn =
  (query: Query): CountLanguages =>
  async (ownerId) => {
    const [languages = {}] = await countLanguages(query, [ownerId])
    return languages
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
  for (const table of ['memories', 'memory_threads', 'memory_changes'])
    await query(`analyze ${table}`, [])
}
