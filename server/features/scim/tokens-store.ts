import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type ScimTokenRow, scimTokens } from './table.ts'

export const insertToken = async (
  tx: Db,
  values: typeof scimTokens.$inferInsert,
): Promise<ScimTokenRow> => {
  const [row] = await tx.insert(scimTokens).values(values).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

/** In order of creation. */
export const listTokens = (db: Db, orgId: string): Promise<ScimTokenRow[]> =>
  db.select().from(scimTokens).where(eq(scimTokens.orgId, orgId)).orderBy(asc(scimTokens.id))

export const countTokens = (tx: Db, orgId: string): Promise<number> =>
  tx.$count(scimTokens, eq(scimTokens.orgId, orgId))

/** @returns undefined when the organization has no such token. */
export const deleteToken = async (
  tx: Db,
  orgId: string,
  id: string,
): Promise<ScimTokenRow | undefined> => {
  const [row] = await tx
    .delete(scimTokens)
    .where(and(eq(scimTokens.orgId, orgId), eq(scimTokens.id, id)))
    .returning()
  return row
}

export const deleteTokens = async (tx: Db, orgId: string): Promise<void> => {
  await tx.delete(scimTokens).where(eq(scimTokens.orgId, orgId))
}

/** Finds a token that has not expired. Each request of an identity provider makes this query. */
export const prepareFindToken = (db: Db) => {
  const query = db
    .select({
      token: scimTokens,
      isStale: sql<boolean>`coalesce(${scimTokens.lastUsedAt} < now() - interval '1 minute', true)`,
    })
    .from(scimTokens)
    .where(
      and(
        eq(scimTokens.hash, sql.placeholder('hash')),
        sql`coalesce(${scimTokens.expiresAt} > now(), true)`,
      ),
    )
    .prepare('find_scim_token')
  return async (hash: string): Promise<{ token: ScimTokenRow; isStale: boolean } | undefined> =>
    (await query.execute({ hash }))[0]
}

/** Updates `last_used_at`, at most once a minute. */
export const touchToken = async (db: Db, id: string): Promise<void> => {
  const isStale = sql`coalesce(${scimTokens.lastUsedAt} < now() - interval '1 minute', true)`
  await db
    .update(scimTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(scimTokens.id, id), isStale))
}
