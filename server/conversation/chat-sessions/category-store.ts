import { and, asc, eq, max, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type ChatCategoryRow, sessionCategories } from './table.ts'

const isCategory = (userId: string, categoryId: string) =>
  and(eq(sessionCategories.userId, userId), eq(sessionCategories.categoryId, categoryId))

export const listCategories = (db: Db, userId: string): Promise<ChatCategoryRow[]> =>
  db
    .select()
    .from(sessionCategories)
    .where(eq(sessionCategories.userId, userId))
    .orderBy(asc(sessionCategories.position), asc(sessionCategories.categoryId))

/** @returns the position after the last category. */
export const nextCategoryPosition = async (tx: Db, userId: string): Promise<number> => {
  const [row] = await tx
    .select({ last: max(sessionCategories.position) })
    .from(sessionCategories)
    .where(eq(sessionCategories.userId, userId))
  return (row?.last ?? -1) + 1
}

export const insertCategory = async (
  tx: Db,
  category: typeof sessionCategories.$inferInsert,
): Promise<ChatCategoryRow> => {
  const [row] = await tx.insert(sessionCategories).values(category).returning()
  return row as ChatCategoryRow
}

export const updateCategory = async (
  db: Db,
  userId: string,
  categoryId: string,
  change: Partial<ChatCategoryRow>,
): Promise<ChatCategoryRow | undefined> => {
  const [row] = await db
    .update(sessionCategories)
    .set({ ...change, updatedAt: sql`now()` })
    .where(isCategory(userId, categoryId))
    .returning()
  return row
}

/** @returns whether the category existed. */
export const deleteCategory = async (
  tx: Db,
  userId: string,
  categoryId: string,
): Promise<boolean> => {
  const rows = await tx
    .delete(sessionCategories)
    .where(isCategory(userId, categoryId))
    .returning({ categoryId: sessionCategories.categoryId })
  return rows.length > 0
}
