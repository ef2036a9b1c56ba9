import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { OAuthProvider } from '../../../shared/schemas/oauth.ts'
import type { Db } from '../../platform/db/database.ts'
import { type UserRow, users } from '../users/table.ts'
import { oauthConnections, usedOAuthStates } from './table.ts'

export type ConnectionRow = typeof oauthConnections.$inferSelect

/** @returns true to one caller, however many come with the state. */
export const takeState = async (db: Db, id: string, expiresAt: Date): Promise<boolean> => {
  const rows = await db
    .insert(usedOAuthStates)
    .values({ id, expiresAt })
    .onConflictDoNothing()
    .returning({ id: usedOAuthStates.id })
  return rows.length > 0
}

/** An expired state is refused without asking; the hour is for clocks that differ. */
export const deleteOldStates = async (db: Db): Promise<void> => {
  await db
    .delete(usedOAuthStates)
    .where(lt(usedOAuthStates.expiresAt, sql`now() - interval '1 hour'`))
}

export const findConnectedUser = async (
  db: Db,
  provider: OAuthProvider,
  subject: string,
): Promise<UserRow | undefined> => {
  const [row] = await db
    .select({ user: users })
    .from(oauthConnections)
    .innerJoin(users, eq(users.id, oauthConnections.userId))
    .where(and(eq(oauthConnections.provider, provider), eq(oauthConnections.subject, subject)))
  return row?.user
}

/** @returns whether the provider's account was still free. */
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

/**
 * Locks a user, so that the ways in that are left are counted by one caller at a time.
 * @returns whether they have a password.
 */
export const lockWaysIn = async (tx: Db, userId: string): Promise<boolean> => {
  const [row] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  return typeof row?.passwordHash === 'string'
}

/** Forgets a provider of a user, or all of them. */
export const deleteConnections = async (
  db: Db,
  userId: string,
  provider?: OAuthProvider,
): Promise<void> => {
  const ofProvider = provider && eq(oauthConnections.provider, provider)
  await db.delete(oauthConnections).where(and(eq(oauthConnections.userId, userId), ofProvider))
}
