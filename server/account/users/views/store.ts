import { and, asc, eq } from 'drizzle-orm'
import type { ViewQuery } from '../../../../shared/contract/views.ts'
import type { Db } from '../../../platform/db/database.ts'
import { savedViews } from './table.ts'

export type SavedViewRow = typeof savedViews.$inferSelect

/** By their names. */
export const listSavedViews = (db: Db, userId: string): Promise<SavedViewRow[]> =>
  db.select().from(savedViews).where(eq(savedViews.userId, userId)).orderBy(asc(savedViews.name))

/** @returns whether there was one with this name, which now has the new query. */
export const replaceView = async (
  db: Db,
  userId: string,
  name: string,
  query: ViewQuery,
): Promise<SavedViewRow | undefined> => {
  const [row] = await db
    .update(savedViews)
    .set({ query })
    .where(and(eq(savedViews.userId, userId), eq(savedViews.name, name)))
    .returning()
  return row
}

/** A view with the same name that another request has just added gets this query. */
export const insertView = async (
  db: Db,
  view: typeof savedViews.$inferInsert,
): Promise<SavedViewRow> => {
  const [row] = await db
    .insert(savedViews)
    .values(view)
    .onConflictDoUpdate({
      target: [savedViews.userId, savedViews.name],
      set: { query: view.query },
    })
    .returning()
  return row as SavedViewRow
}

/** @returns whether there was one. */
export const deleteSavedView = async (db: Db, userId: string, name: string): Promise<boolean> => {
  const rows = await db
    .delete(savedViews)
    .where(and(eq(savedViews.userId, userId), eq(savedViews.name, name)))
    .returning({ name: savedViews.name })
  return rows.length > 0
}
