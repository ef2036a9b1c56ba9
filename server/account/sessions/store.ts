import { and, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Acting } from '../../people/orgs/acting.ts'
import { orgMembers, orgs } from '../../people/orgs/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { type UserRow, users } from '../users/table.ts'
import { type SessionRow, sessions, signInGuards } from './table.ts'

const MAX_FAILURES = 10
const LOCK_MINUTES = 15

export const insertSession = async (
  db: Db,
  session: typeof sessions.$inferInsert,
): Promise<void> => {
  await db.insert(sessions).values(session)
}

const live = () => and(isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`))

export interface FoundSession {
  session: SessionRow
  user: UserRow
  /** The organization asked for, else the active one, where the person is a member. */
  acting: Acting | null
}

/**
 * A live session with its user, unless they are kept out: the one read that every request with an
 * access token makes.
 */
export const prepareFindSession = (db: Db) => {
  const query = db
    .select({
      session: sessions,
      user: users,
      acting: { id: orgs.id, name: orgs.name, role: orgMembers.role },
    })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), isNull(users.disabledAt)))
    .leftJoin(
      orgMembers,
      and(
        eq(orgMembers.userId, users.id),
        sql`${orgMembers.orgId} = coalesce(${sql.placeholder('orgId')}::uuid, ${users.activeOrgId})`,
      ),
    )
    .leftJoin(orgs, eq(orgs.id, orgMembers.orgId))
    .where(and(eq(sessions.id, sql.placeholder('id')), live()))
    .prepare('find_session')
  return async (id: string, orgId: string | null): Promise<FoundSession | undefined> => {
    const [row] = await query.execute({ id, orgId })
    if (!row) return undefined
    const { session, user, acting } = row
    return { session, user, acting: acting?.id && acting.role ? (acting as Acting) : null }
  }
}

/**
 * Takes a refresh token of `generation`. The current one moves the session on. The one before it is
 * answered with the current one again, because its answer may have been lost, or somebody asked twice at
 * once: for `graceSeconds` after it was used, or, for null, as long as the current one is not used.
 * @returns the session's generation now, or undefined when the token is older, or the session ended.
 */
export const takeGeneration = async (
  db: Db,
  id: string,
  generation: number,
  graceSeconds: number | null,
): Promise<SessionRow | undefined> => {
  const isCurrent = eq(sessions.generation, generation)
  const isInGrace =
    graceSeconds === null
      ? undefined
      : sql`${sessions.rotatedAt} > now() - make_interval(secs => ${graceSeconds})`
  const [row] = await db
    .update(sessions)
    .set({
      generation: sql`case when ${isCurrent} then ${generation + 1}::integer else ${sessions.generation} end`,
      rotatedAt: sql`case when ${isCurrent} then now() else ${sessions.rotatedAt} end`,
      lastSeenAt: sql`now()`,
    })
    .where(
      and(
        eq(sessions.id, id),
        or(isCurrent, and(eq(sessions.generation, generation + 1), isInGrace)),
        live(),
      ),
    )
    .returning()
  return row
}

/** @returns the session if it was live until now. */
export const revokeSession = async (db: Db, id: string): Promise<SessionRow | undefined> => {
  const [row] = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.id, id), live()))
    .returning()
  return row
}

/** The live sessions of a user, newest first. */
export const listSessions = (db: Db, userId: string): Promise<SessionRow[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), live()))
    .orderBy(desc(sessions.id))

/** @returns whether it was a live session of this user. */
export const revokeSessionOf = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), live()))
    .returning({ id: sessions.id })
  return rows.length > 0
}

/** Ends a person's sessions, all or all but one. @returns how many were live until now. */
export const revokeSessions = async (
  db: Db,
  userId: string,
  exceptId: string | null,
): Promise<number> => {
  const others = exceptId === null ? undefined : ne(sessions.id, exceptId)
  const ended = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), live(), others))
    .returning({ id: sessions.id })
  return ended.length
}

/** Ends the sessions beyond `most` that were not used for longest, never `keep`. @returns their ids. */
export const revokeIdlest = async (
  tx: Db,
  userId: string,
  { keep, most }: { keep: string; most: number },
): Promise<string[]> => {
  const idlest = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, keep), live()))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .offset(most - 1)
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(inArray(sessions.id, idlest), live()))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** Nobody comes back to a session that ended long ago. */
export const deleteLongEndedSessions = async (tx: Db, userId: string): Promise<void> => {
  const longAgo = sql`now() - interval '30 days'`
  const hasEnded = or(lt(sessions.revokedAt, longAgo), lt(sessions.expiresAt, longAgo))
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), hasEnded))
}

/** Notes that a session was used, at most every 20 seconds: who was seen within a minute is online. */
export const touchSession = async (db: Db, id: string): Promise<void> => {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, sql`now() - interval '20 seconds'`)))
}

/**
 * Counts a sign-in before it is tried, so that parallel tries cannot pass the limit together.
 * @returns undefined when it may be tried, or the minutes that the address stays locked.
 */
export const reserveSignIn = async (db: Db, email: string): Promise<number | undefined> => {
  const lockEnds = sql`now() + ${`${LOCK_MINUTES} minutes`}::interval`
  const over = lt(signInGuards.lockedUntil, sql`now()`)
  const [reserved] = await db
    .insert(signInGuards)
    .values({ email, failures: 1 })
    .onConflictDoUpdate({
      target: signInGuards.email,
      set: {
        failures: sql`case when ${over} then 1 else ${signInGuards.failures} + 1 end`,
        lockedUntil: sql`case when ${over} then null
          when ${signInGuards.failures} + 1 >= ${MAX_FAILURES} then ${lockEnds}
          else ${signInGuards.lockedUntil} end`,
        updatedAt: sql`now()`,
      },
      setWhere: sql`${signInGuards.failures} < ${MAX_FAILURES} or ${over}`,
    })
    .returning({ failures: signInGuards.failures })
  if (reserved) return undefined
  const [guard] = await db
    .select({
      minutes: sql<number>`greatest(1, ceil(extract(epoch from ${signInGuards.lockedUntil} - now()) / 60))::integer`,
    })
    .from(signInGuards)
    .where(eq(signInGuards.email, email))
  return guard?.minutes ?? LOCK_MINUTES
}

/** Takes back what was counted for a try that did not fail, and a lock that it completed. */
export const giveBackSignIn = async (db: Db, email: string): Promise<void> => {
  await db
    .update(signInGuards)
    .set({ failures: sql`${signInGuards.failures} - 1`, lockedUntil: null })
    .where(and(eq(signInGuards.email, email), gt(signInGuards.failures, 0)))
}

/** Notes when an address was last tried. */
export const touchSignInGuard = async (db: Db, email: string): Promise<void> => {
  await db.update(signInGuards).set({ updatedAt: sql`now()` }).where(eq(signInGuards.email, email))
}

export const deleteIdleGuards = async (db: Db): Promise<void> => {
  await db.delete(signInGuards).where(lt(signInGuards.updatedAt, sql`now() - interval '30 days'`))
}

/** Forgets the failures of an address that has signed in. */
export const clearSignInGuard = async (db: Db, email: string): Promise<void> => {
  await db.delete(signInGuards).where(eq(signInGuards.email, email))
}
