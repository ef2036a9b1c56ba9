import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { memories } from './table.ts'

/** What memories say, by their ids; of those that are not there, nothing. */
export const listTexts = async (
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
