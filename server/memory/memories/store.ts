import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { type Db, fromRow } from '../../platform/db/database.ts'
import { memoryTasks } from '../engines/table.ts'
import { memoryGraphs } from '../graph/table.ts'
import {
  type MemoryRow,
  memories,
  memoryAuthors,
  memoryHistory,
  memoryStats,
  memoryThreads,
  pastPostings,
  postings,
} from './table.ts'

/** A memory with the name of its thread. */
export type MemoryWithThread = MemoryRow & { thread: string | null }

/** A row of `memories` with the name of its thread, as a query gives it. */
export const withName = (row: Record<string, unknown>): MemoryWithThread => ({
  ...fromRow(memories, row),
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

/** One memory, also a forgotten one. */
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

/** Newest first; `before` is the last memory of the page before. */
export const listMemories = async (
  db: Db,
  ownerId: string,
  filter: {
    limit: number
    before?: string | undefined
    thread?: string | undefined
    memoryType?: MemoryRow['memoryType'] | undefined
  },
): Promise<MemoryWithThread[]> => {
  const rows = await withThread(db)
    .where(
      and(
        eq(memories.ownerId, ownerId),
        isNull(memories.deletedAt),
        filter.before ? lt(memories.memoryId, filter.before) : undefined,
        filter.thread ? eq(memoryThreads.thread, filter.thread) : undefined,
        filter.memoryType ? eq(memories.memoryType, filter.memoryType) : undefined,
      ),
    )
    .orderBy(desc(memories.memoryId))
    .limit(filter.limit)
  return rows.map((row) => ({ ...row.memory, thread: row.thread }))
}

export const listHistory = (db: Db, ownerId: string, memoryId: string) =>
  db
    .select()
    .from(memoryHistory)
    .where(and(eq(memoryHistory.ownerId, ownerId), eq(memoryHistory.memoryId, memoryId)))
    .orderBy(memoryHistory.id)

/**
 * Erases all memories of an owner, in the order in which a writer locks; threads once more, because a
 * memory may have been moved to a new one meanwhile.
 */
export const eraseOwner = async (tx: Db, ownerId: string): Promise<void> => {
  const rows = [memories, memoryHistory, postings, pastPostings, memoryAuthors, memoryTasks]
  for (const table of [memoryThreads, ...rows, memoryStats, memoryGraphs, memoryThreads])
    await tx.delete(table).where(eq(table.ownerId, ownerId))
}
