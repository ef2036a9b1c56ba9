import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type UrlSnapshotRow, urlSnapshots } from './table.ts'

/** Stores the text of a page. The same text again renews its snapshot, with the new URL and title. */
export const saveSnapshot = async (
  db: Db,
  { userId, hash, url, title, text }: Omit<UrlSnapshotRow, 'createdAt'>,
): Promise<void> => {
  await db
    .insert(urlSnapshots)
    .values({ userId, hash, url, title, text })
    .onConflictDoUpdate({
      target: [urlSnapshots.userId, urlSnapshots.hash],
      set: { url, title, createdAt: sql`now()` },
    })
}

/** Deletes all snapshots of a user except the newest `max`. */
export const deleteOldSnapshots = async (db: Db, userId: string, max: number): Promise<void> => {
  const old = db
    .select({ hash: urlSnapshots.hash })
    .from(urlSnapshots)
    .where(eq(urlSnapshots.userId, userId))
    .orderBy(desc(urlSnapshots.createdAt), desc(urlSnapshots.hash))
    .offset(max)
  await db
    .delete(urlSnapshots)
    .where(and(eq(urlSnapshots.userId, userId), inArray(urlSnapshots.hash, old)))
}

export const findSnapshot = async (
  db: Db,
  userId: string,
  hash: string,
): Promise<UrlSnapshotRow | undefined> => {
  const [row] = await db
    .select()
    .from(urlSnapshots)
    .where(and(eq(urlSnapshots.userId, userId), eq(urlSnapshots.hash, hash)))
  return row
}
