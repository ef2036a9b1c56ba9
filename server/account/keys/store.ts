import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type UserRow, users } from '../users/table.ts'
import { type ApiKeyRow, apiKeys } from './table.ts'

export const insertKey = async (db: Db, key: typeof apiKeys.$inferInsert): Promise<ApiKeyRow> => {
  const [row] = await db.insert(apiKeys).values(key).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

export const listKeys = (db: Db, userId: string): Promise<ApiKeyRow[]> =>
  db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(desc(apiKeys.id))

export const findKey = async (db: Db, id: string): Promise<ApiKeyRow | undefined> => {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id))
  return row
}

/** A live key with its user: the one read that every request with a key makes. */
export const prepareFindKeyByHash = (db: Db) => {
  const query = db
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(
      and(
        eq(apiKeys.hash, sql.placeholder('hash')),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
      ),
    )
    .prepare('find_key')
  return async (hash: string): Promise<{ key: ApiKeyRow; user: UserRow } | undefined> => {
    const [row] = await query.execute({ hash })
    return row
  }
}

/** @returns whether the key was there. */
export const deleteKey = async (db: Db, id: string): Promise<boolean> => {
  const gone = await db.delete(apiKeys).where(eq(apiKeys.id, id)).returning({ id: apiKeys.id })
  return gone.length > 0
}

/** Notes that a key was used; at most one write a minute. */
export const touchKey = async (db: Db, id: string): Promise<void> => {
  const stale = lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`)
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), stale)))
}
