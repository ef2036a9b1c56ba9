import { and, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Acting } from '../../people/orgs/acting.ts'
import { isHeldMember } from '../../people/orgs/membership.ts'
import { orgMembers, orgs } from '../../people/orgs/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { type SessionRow, sessions } from '../sessions/table.ts'
import { holdUser } from '../users/hold.ts'
import { lockPassword } from '../users/store.ts'
import { type UserRow, users } from '../users/table.ts'
import {
  type OAuthClientRow,
  type OAuthCodeRow,
  oauthClients,
  oauthCodes,
  oauthGrants,
} from './table.ts'

const MAX_WAITING_CLIENTS = 10_000

export const insertClient = async (
  db: Db,
  client: typeof oauthClients.$inferInsert,
): Promise<OAuthClientRow> => {
  const [row] = await db.insert(oauthClients).values(client).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

/**
 * Nobody uses most of those that register; and a grant lasts a year. Of those that nobody has let in the
 * newest are kept, however many addresses they come from.
 */
export const deleteIdleClients = async (db: Db): Promise<void> => {
  const newest = db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(isNull(oauthClients.lastUsedAt))
    .orderBy(desc(oauthClients.id))
    .offset(MAX_WAITING_CLIENTS - 1)
    .limit(1)
  const oneTooMany = and(isNull(oauthClients.lastUsedAt), lte(oauthClients.id, newest))
  const neverUsed = and(
    isNull(oauthClients.lastUsedAt),
    lt(oauthClients.createdAt, sql`now() - interval '7 days'`),
  )
  const longAgo = lt(oauthClients.lastUsedAt, sql`now() - interval '400 days'`)
  await db.delete(oauthClients).where(or(neverUsed, oneTooMany, longAgo))
}

export const findClient = async (db: Db, id: string): Promise<OAuthClientRow | undefined> => {
  const [row] = await db.select().from(oauthClients).where(eq(oauthClients.id, id))
  return row
}

export const touchClient = async (db: Db, id: string): Promise<void> => {
  await db.update(oauthClients).set({ lastUsedAt: sql`now()` }).where(eq(oauthClients.id, id))
}

export const insertCode = async (db: Db, code: typeof oauthCodes.$inferInsert): Promise<void> => {
  await db.insert(oauthCodes).values(code)
}

/** A used code is kept for a day, to know it when it comes again. */
export const deleteOldCodes = async (db: Db): Promise<void> => {
  await db.delete(oauthCodes).where(lt(oauthCodes.expiresAt, sql`now() - interval '1 day'`))
}

export interface LockedCode {
  code: OAuthCodeRow
  user: UserRow
  /** Its time is not over, and the person is still signed in where they agreed. */
  isLive: boolean
  /** They are in the organization that it is for. */
  isMember: boolean
}

/**
 * Holds a code until the end of the transaction, so that of two who redeem it one is first. The person
 * is held before it, as by whoever deletes them, or ends all that they are signed in by: that has
 * happened, or finds what becomes of the code.
 */
export const lockCode = async (tx: Db, codeHash: string): Promise<LockedCode | undefined> => {
  const isCode = eq(oauthCodes.codeHash, codeHash)
  const [given] = await tx
    .select({ userId: oauthCodes.userId, orgId: oauthCodes.orgId })
    .from(oauthCodes)
    .where(isCode)
  if (!given || !(await holdUser(tx, given.userId))) return undefined
  await lockPassword(tx, given.userId)
  const isMember = given.orgId === null || (await isHeldMember(tx, given.userId, given.orgId))
  const [row] = await tx
    .select({
      code: oauthCodes,
      user: users,
      isLive: sql<boolean>`${oauthCodes.expiresAt} > now() and ${sessions.revokedAt} is null`,
    })
    .from(oauthCodes)
    .innerJoin(users, eq(users.id, oauthCodes.userId))
    .innerJoin(sessions, eq(sessions.id, oauthCodes.sessionId))
    .where(isCode)
    .for('update', { of: oauthCodes })
  return row && { ...row, isMember }
}

/** Uses a code up. `grantId`: the session it became, or null when it was good for nothing. */
export const markUsed = async (tx: Db, codeHash: string, grantId: string | null): Promise<void> => {
  await tx
    .update(oauthCodes)
    .set({ usedAt: sql`now()`, grantId })
    .where(eq(oauthCodes.codeHash, codeHash))
}

export const insertGrant = async (
  db: Db,
  grant: typeof oauthGrants.$inferInsert,
): Promise<void> => {
  await db.insert(oauthGrants).values(grant)
}

export interface FoundGrant {
  session: SessionRow
  user: UserRow
  clientId: string
  orgId: string | null
  acting: Acting | null
}

/**
 * A live grant with its user; none for a user who is kept out, or is not in the grant's organization
 * any more. The one read that every request with such a token makes.
 */
export const prepareFindGrant = (db: Db) => {
  const query = db
    .select({
      session: sessions,
      user: users,
      clientId: oauthGrants.clientId,
      orgId: oauthGrants.orgId,
      acting: { id: orgs.id, name: orgs.name, role: orgMembers.role },
    })
    .from(oauthGrants)
    .innerJoin(sessions, eq(sessions.id, oauthGrants.sessionId))
    .innerJoin(users, and(eq(users.id, oauthGrants.userId), isNull(users.disabledAt)))
    .leftJoin(
      orgMembers,
      and(eq(orgMembers.userId, oauthGrants.userId), eq(orgMembers.orgId, oauthGrants.orgId)),
    )
    .leftJoin(orgs, eq(orgs.id, orgMembers.orgId))
    .where(
      and(
        eq(oauthGrants.sessionId, sql.placeholder('id')),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
        or(isNull(oauthGrants.orgId), eq(orgMembers.orgId, oauthGrants.orgId)),
      ),
    )
    .prepare('find_grant')
  return async (id: string): Promise<FoundGrant | undefined> => {
    const [row] = await query.execute({ id })
    if (!row) return undefined
    const { acting } = row
    return { ...row, acting: acting?.id && acting.role ? (acting as Acting) : null }
  }
}

/** The organizations that a person may let a program act in. */
export const listMemberships = (db: Db, userId: string): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: orgs.id, name: orgs.name })
    .from(orgMembers)
    .innerJoin(orgs, eq(orgs.id, orgMembers.orgId))
    .where(eq(orgMembers.userId, userId))
    .orderBy(orgs.name, orgs.id)

/** Ends what programs were let in for by somebody in an organization, and what they are about to be. */
export const endGrantsIn = async (tx: Db, orgId: string, userId: string): Promise<void> => {
  const isOfBoth = (table: typeof oauthGrants | typeof oauthCodes) =>
    and(eq(table.userId, userId), eq(table.orgId, orgId))
  const theirs = tx
    .select({ id: oauthGrants.sessionId })
    .from(oauthGrants)
    .where(isOfBoth(oauthGrants))
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(isNull(sessions.revokedAt), inArray(sessions.id, theirs)))
  await tx.delete(oauthCodes).where(isOfBoth(oauthCodes))
}
