import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { providerSessions, usedLogoutTokens } from './table.ts'

type ProviderSessionRow = typeof providerSessions.$inferSelect

export const insertProviderSession = async (
  tx: Db,
  row: typeof providerSessions.$inferInsert,
): Promise<void> => {
  await tx.insert(providerSessions).values(row)
}

/** A sign-in that waited for its second factor has become a session. */
export const bindProviderSession = async (
  tx: Db,
  challengeId: string,
  sessionId: string,
): Promise<void> => {
  await tx
    .update(providerSessions)
    .set({ challengeId: null, sessionId })
    .where(eq(providerSessions.challengeId, challengeId))
}

export const findProviderSession = async (
  db: Db,
  sessionId: string,
): Promise<ProviderSessionRow | undefined> => {
  const [row] = await db
    .select()
    .from(providerSessions)
    .where(eq(providerSessions.sessionId, sessionId))
  return row
}

interface EndedAtProvider {
  provider: string
  subject: string | undefined
  sid: string | undefined
}

/** A session whose provider sent no `sid` ends with any session of its subject. */
const matches = ({ provider, subject, sid }: EndedAtProvider) => {
  const ofSubject = subject === undefined ? undefined : eq(providerSessions.subject, subject)
  const ofSid =
    sid === undefined
      ? undefined
      : or(eq(providerSessions.providerSid, sid), ofSubject && isNull(providerSessions.providerSid))
  return and(eq(providerSessions.provider, provider), ofSubject, ofSid)
}

/** The users with a session that ended at the provider, in one order. */
export const findUsersSignedIn = async (tx: Db, ended: EndedAtProvider): Promise<string[]> => {
  const rows = await tx
    .selectDistinct({ userId: providerSessions.userId })
    .from(providerSessions)
    .where(matches(ended))
    .orderBy(providerSessions.userId)
  return rows.map(({ userId }) => userId)
}

/** Deletes the rows of sessions that ended at the provider. */
export const deleteProviderSessions = (
  tx: Db,
  ended: EndedAtProvider,
): Promise<ProviderSessionRow[]> => tx.delete(providerSessions).where(matches(ended)).returning()

/** @returns true to one caller only. */
export const consumeLogoutToken = async (
  tx: Db,
  tokenHash: string,
  expiresAt: Date,
): Promise<boolean> => {
  const rows = await tx
    .insert(usedLogoutTokens)
    .values({ tokenHash, expiresAt })
    .onConflictDoNothing()
    .returning({ tokenHash: usedLogoutTokens.tokenHash })
  return rows.length > 0
}

/** Expired tokens are refused anyway. The hour allows for clocks that differ. */
export const deleteOldLogoutTokens = async (db: Db): Promise<void> => {
  await db
    .delete(usedLogoutTokens)
    .where(lt(usedLogoutTokens.expiresAt, sql`now() - interval '1 hour'`))
}
