import { and, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import type { SecondFactor } from '../../../platform/http/caller.ts'
import type { PolicyFacts } from '../../organizations/policies/shortfall.ts'
import { policyColumns } from '../../organizations/policies/store.ts'
import { orgMembers, orgs } from '../../organizations/table.ts'
import { type UserRow, users } from '../../users/table.ts'
import { type OrgContext, orgContextOf } from '../caller.ts'
import { type SessionRow, sessions } from './table.ts'

/** Minimum time between two writes of `last_seen_at`. A user seen within a minute counts as online. */
export const TOUCH_SECONDS = 20

export const insertSession = async (
  db: Db,
  session: typeof sessions.$inferInsert,
): Promise<void> => {
  await db.insert(sessions).values(session)
}

/** Inserts the session of an admin who uses the account of a user. Its time ends on the clock of the database. */
export const insertImpersonation = async (
  tx: Db,
  { minutes, ...session }: Omit<typeof sessions.$inferInsert, 'expiresAt'> & { minutes: number },
): Promise<SessionRow> => {
  const expiresAt = sql`clock_timestamp() + make_interval(mins => ${minutes}::int)`
  const [row] = await tx
    .insert(sessions)
    .values({ ...session, expiresAt })
    .returning()
  if (!row) throw new Error('the session was not inserted')
  return row
}

/** How a session was started. */
export type SessionSignIn = Pick<SessionRow, 'method' | 'secondFactor'> & { signedInAt?: Date }

/** The sign-in of a session, which it may have from another one. */
export const signInOf = ({ method, secondFactor, signedInAt, createdAt }: SessionRow) => ({
  method,
  secondFactor,
  signedInAt: signedInAt ?? createdAt,
})

/** The sign-in that a session passes on to another; undefined for a session that was deleted. */
export const findSignIn = async (tx: Db, id: string): Promise<SessionSignIn | undefined> => {
  const [row] = await tx.select().from(sessions).where(eq(sessions.id, id))
  return row && signInOf(row)
}

/** Records that the user proved a second factor in a live session. */
export const recordSecondFactor = async (
  tx: Db,
  id: string,
  secondFactor: SecondFactor,
): Promise<void> => {
  const isStronger = secondFactor === 'passkey' ? undefined : isNull(sessions.secondFactor)
  await tx
    .update(sessions)
    .set({ secondFactor })
    .where(and(eq(sessions.id, id), isStronger))
}

const live = () => and(isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`))

export interface FoundSession {
  session: SessionRow
  user: UserRow
  /** The requested organization, or else the active one; null when the user is not a member of it. */
  org: OrgContext | null
  facts: PolicyFacts
}

/**
 * Finds a live session of a user who is not disabled. Each request with an access token makes this query.
 */
export const prepareFindSession = (db: Db) => {
  const query = db
    .select({
      session: sessions,
      user: users,
      org: { id: orgs.id, name: orgs.name, role: orgMembers.role },
      ...policyColumns,
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
    const { session, user, org, ...facts } = row
    return { session, user, org: orgContextOf(org), facts }
  }
}

/**
 * Refresh token rotation by a token of `generation`. The previous generation stays valid and leads to
 * the current one again, because a response may be lost or two requests may refresh at once.
 * @param graceSeconds how long the previous generation stays valid after the rotation; null: until the
 * current one is used.
 * @returns undefined when the token is older or the session has ended.
 */
export const advanceGeneration = async (
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

/** @returns undefined when the session was not live. */
export const revokeSession = async (db: Db, id: string): Promise<SessionRow | undefined> => {
  const [row] = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.id, id), live()))
    .returning()
  return row
}

/** The live sessions of a user, newest first. */
export const findLiveSessions = (db: Db, userId: string): Promise<SessionRow[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), live()))
    .orderBy(desc(sessions.id))

/** @returns whether `id` was a live session of the user. */
export const revokeSessionOf = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), live()))
    .returning({ id: sessions.id })
  return rows.length > 0
}

/** Revokes the live sessions of a user except `exceptId`. */
export const revokeSessions = async (
  db: Db,
  userId: string,
  exceptId: string | null,
): Promise<void> => {
  const others = exceptId === null ? undefined : ne(sessions.id, exceptId)
  await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), live(), others))
}

/** Ends the sessions of a user that an admin uses. @returns their ids. */
export const revokeImpersonations = async (
  tx: Db,
  adminId: string,
  userId: string,
): Promise<string[]> => {
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), eq(sessions.impersonatorId, adminId), live()))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** Revokes the least recently used sessions beyond `max`, never `exceptId`. @returns their ids. */
export const revokeIdlest = async (
  tx: Db,
  userId: string,
  { exceptId, max }: { exceptId: string; max: number },
): Promise<string[]> => {
  const idlest = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        ne(sessions.id, exceptId),
        isNull(sessions.impersonatorId),
        live(),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .offset(max - 1)
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(inArray(sessions.id, idlest), live()))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** Deletes sessions that ended more than 30 days ago. */
export const deleteLongEndedSessions = async (tx: Db, userId: string): Promise<void> => {
  const longAgo = sql`now() - interval '30 days'`
  const hasEnded = or(lt(sessions.revokedAt, longAgo), lt(sessions.expiresAt, longAgo))
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), hasEnded))
}

export const touchSession = async (db: Db, id: string): Promise<void> => {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(
      and(
        eq(sessions.id, id),
        lt(sessions.lastSeenAt, sql`now() - make_interval(secs => ${TOUCH_SECONDS})`),
      ),
    )
}
