import { and, asc, count, desc, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { Db } from '../../../platform/db/database.ts'
import {
  type OAuthClientRow,
  oauthClients,
  oauthCodes,
  oauthConsents,
  oauthGrants,
} from './table.ts'

const MAX_UNUSED_CLIENTS = 10_000

const isSelfRegistered = eq(oauthClients.isManaged, false)

export const insertClient = async (
  db: Db,
  client: typeof oauthClients.$inferInsert,
): Promise<OAuthClientRow> => {
  const [row] = await db.insert(oauthClients).values(client).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

/**
 * Deletes clients that registered themselves and that no user has authorized within 7 days or that are beyond the newest 10,000 such
 * clients, and clients that were last authorized 400 days ago (a grant lasts one year).
 * @param room for how many more unused clients to leave room.
 */
export const deleteIdleClients = async (db: Db, room = 0): Promise<void> => {
  const newest = db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(and(isNull(oauthClients.lastUsedAt), isSelfRegistered))
    .orderBy(desc(oauthClients.id))
    .offset(MAX_UNUSED_CLIENTS - room)
    .limit(1)
  const isSurplus = and(isNull(oauthClients.lastUsedAt), lte(oauthClients.id, newest))
  const isUnused = and(
    isNull(oauthClients.lastUsedAt),
    lt(oauthClients.createdAt, sql`now() - interval '7 days'`),
  )
  const isIdle = lt(oauthClients.lastUsedAt, sql`now() - interval '400 days'`)
  await db.delete(oauthClients).where(and(isSelfRegistered, or(isUnused, isSurplus, isIdle)))
}

export const findClient = async (db: Db, id: string): Promise<OAuthClientRow | undefined> => {
  const [row] = await db.select().from(oauthClients).where(eq(oauthClients.id, id))
  return row
}

/** Records the use of a client once a minute, so that sign-ins to one app do not wait for each other. */
export const touchClient = async (db: Db, id: string): Promise<void> => {
  const isDue = or(
    isNull(oauthClients.lastUsedAt),
    lt(oauthClients.lastUsedAt, sql`now() - interval '1 minute'`),
  )
  await db
    .update(oauthClients)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(oauthClients.id, id), isDue))
}

const isManaged = (id: string) => and(eq(oauthClients.id, id), eq(oauthClients.isManaged, true))

/** The clients of admins, by name. */
export const listManagedClients = (db: Db): Promise<OAuthClientRow[]> =>
  db
    .select()
    .from(oauthClients)
    .where(eq(oauthClients.isManaged, true))
    .orderBy(asc(oauthClients.name), asc(oauthClients.id))

export const countManagedClients = async (db: Db): Promise<number> => {
  const [row] = await db
    .select({ clients: count() })
    .from(oauthClients)
    .where(eq(oauthClients.isManaged, true))
  return row?.clients ?? 0
}

/** @returns undefined for no such client of an admin. */
export const lockManagedClient = async (
  tx: Db,
  id: string,
): Promise<OAuthClientRow | undefined> => {
  const [row] = await tx.select().from(oauthClients).where(isManaged(id)).for('update')
  return row
}

export const updateManagedClient = async (
  tx: Db,
  id: string,
  change: Partial<typeof oauthClients.$inferInsert>,
): Promise<OAuthClientRow | undefined> => {
  const [row] = await tx.update(oauthClients).set(change).where(isManaged(id)).returning()
  return row
}

export const deleteManagedClient = async (tx: Db, id: string): Promise<void> => {
  await tx.delete(oauthClients).where(isManaged(id))
}

/** Removes scopes that a client may not have any more from what users granted it. */
export const narrowGrants = async (
  tx: Db,
  clientId: string,
  allowed: readonly AppScope[],
): Promise<void> => {
  const list = sql`array[${sql.join(
    allowed.map((scope) => sql`${scope}`),
    sql`, `,
  )}]::text[]`
  const within = (column: unknown) =>
    sql<AppScope[]>`array(select s from unnest(${column}) s where s = any(${list}))`
  await tx.delete(oauthCodes).where(eq(oauthCodes.clientId, clientId))
  await tx
    .update(oauthConsents)
    .set({ scopes: within(oauthConsents.scopes) })
    .where(eq(oauthConsents.clientId, clientId))
  await tx
    .update(oauthGrants)
    .set({ scopes: within(oauthGrants.scopes), agreedScopes: within(oauthGrants.agreedScopes) })
    .where(eq(oauthGrants.clientId, clientId))
}
