import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { type Database, type Db, fromRow } from '../../platform/db/database.ts'
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

const FIND_BY_HASH = `
select k.id as key_id, u.*,
  k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_stale
from api_keys k join users u on u.id = k.user_id
where k.hash = $1 and (k.expires_at is null or k.expires_at > now())`

/**
 * A live key with its user, and whether it is time to note that it was used. The one read that every
 * request with a key makes, so it is plain SQL.
 */
export const findKeyByHash = async (
  database: Database,
  hash: string,
): Promise<{ keyId: string; isStale: boolean; user: UserRow } | undefined> => {
  const [row] = await database.query<{ key_id: string; is_stale: boolean }>(FIND_BY_HASH, [hash])
  return row && { keyId: row.key_id, isStale: row.is_stale, user: fromRow(users, { ...row }) }
}

export const deleteKeys = async (db: Db, userId: string): Promise<void> => {
  await db.delete(apiKeys).where(eq(apiKeys.userId, userId))
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
