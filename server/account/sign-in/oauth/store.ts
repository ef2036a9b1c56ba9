import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { type UserRow, users } from '../../users/table.ts'
import { oauthConnections, usedOAuthStates } from './table.ts'

type ConnectionRow = typeof oauthConnections.$inferSelect

/** @returns true to one caller only. */
export const consumeState = async (db: Db, id: string, expiresAt: Date): Promise<boolean> => {
  const rows = await db
    .insert(usedOAuthStates)
    .values({ id, expiresAt })
    .onConflictDoNothing()
    .returning({ id: usedOAuthStates.id })
  return rows.length > 0
}

/** Expired states are refused anyway. The hour allows for clocks that differ. */
export const deleteOldStates = async (db: Db): Promise<void> => {
  await db
    .delete(usedOAuthStates)
    .where(lt(usedOAuthStates.expiresAt, sql`now() - interval '1 hour'`))
}

export const findConnectedUser = async (
  db: Db,
  provider: string,
  subject: string,
): Promise<UserRow | undefined> => {
  const [row] = await db
    .select({ user: users })
    .from(oauthConnections)
    .innerJoin(users, eq(users.id, oauthConnections.userId))
    .where(and(eq(oauthConnections.provider, provider), eq(oauthConnections.subject, subject)))
  return row?.user
}

/** @returns false when the account at the provider is connected already. */
export const insertConnection = async (
  db: Db,
  connection: typeof oauthConnections.$inferInsert,
): Promise<boolean> => {
  const rows = await db
    .insert(oauthConnections)
    .values(connection)
    .onConflictDoNothing()
    .returning({ subject: oauthConnections.subject })
  return rows.length > 0
}

export const listConnections = (db: Db, userId: string): Promise<ConnectionRow[]> =>
  db
    .select()
    .from(oauthConnections)
    .where(eq(oauthConnections.userId, userId))
    .orderBy(asc(oauthConnections.createdAt))

export const hasConnections = async (db: Db, userId: string): Promise<boolean> =>
  (await db.$count(oauthConnections, eq(oauthConnections.userId, userId))) > 0

/** Deletes the connection to one provider, or all connections. */
export const deleteConnections = async (
  db: Db,
  userId: string,
  provider?: string,
): Promise<void> => {
  const ofProvider = provider === undefined ? undefined : eq(oauthConnections.provider, provider)
  await db.delete(oauthConnections).where(and(eq(oauthConnections.userId, userId), ofProvider))
}
