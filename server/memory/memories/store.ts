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
import { type Db, fromColumns, fromRow } from '../../platform/db/database.ts'
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

const withThread = (db: Db) =>
  db
    .select({ memory: memories, thread: memoryThreads.thread })
    .from(memories)
    .leftJoin(
      memoryThreads,
      and(
        eq(memoryThreads.ownerId, memories.ownerId),
        eq(memoryThreads.threadNo, memories.threadNo),
      ),
    )
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

/** Newest first; `before` is the last memory of the previous page. */
export const listMemories = async (
  db: Db,
  ownerId: string,
  filter: {
    limit: number
    before?: string | undefined
    thread?: string | undefined
    memoryType?: MemoryRow['memoryType'] | undefined
    tag?: string | undefined
    author?: string | undefined
    since?: string | undefined
    until?: string | undefined
    /** The deleted memories that can be restored, instead of the others. */
    deleted?: boolean
  },
): Promise<MemoryWithThread[]> => {
  const rows = await withThread(db)
    .where(
      and(
        eq(memories.ownerId, ownerId),
        filter.deleted ? IS_RESTORABLE : isNull(memories.deletedAt),
        filter.before ? lt(memories.memoryId, filter.before) : undefined,
        filter.thread ? eq(memoryThreads.thread, filter.thread) : undefined,
        filter.memoryType ? eq(memories.memoryType, filter.memoryType) : undefined,
        filter.tag ? arrayContains(memories.tags, [filter.tag]) : undefined,
        filter.author ? eq(memories.author, filter.author) : undefined,
        filter.since ? sql`${HAPPENED} >= ${filter.since}::timestamptz` : undefined,
        filter.until ? sql`${HAPPENED} < ${filter.until}::timestamptz` : undefined,
      ),
    )
    .orderBy(desc(memories.memoryId))
    .limit(filter.limit)
  return rows.map((row) => ({ ...row.memory, thread: row.thread }))
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
