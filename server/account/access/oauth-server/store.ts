import { and, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Scope } from '../../../../shared/contract/scopes.ts'
import type { Db } from '../../../platform/db/database.ts'
import { lockMembershipIfAny } from '../../organizations/membership.ts'
import { orgMembers, orgs } from '../../organizations/table.ts'
import { lockForSignIn } from '../../users/store.ts'
import { type UserRow, users } from '../../users/table.ts'
import { type OrgContext, orgContextOf } from '../caller.ts'
import { type SessionRow, sessions } from '../sessions/table.ts'
import {
  type OAuthClientRow,
  type OAuthCodeRow,
  oauthClients,
  oauthCodes,
  oauthGrants,
} from './table.ts'

const MAX_UNUSED_CLIENTS = 10_000

export const insertClient = async (
  db: Db,
  client: typeof oauthClients.$inferInsert,
): Promise<OAuthClientRow> => {
  const [row] = await db.insert(oauthClients).values(client).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

/**
 * Deletes clients that no user has authorized within 7 days or that are beyond the newest 10,000 such
 * clients, and clients that were last authorized 400 days ago (a grant lasts one year).
 * @param room for how many more unused clients to leave room.
 */
export const deleteIdleClients = async (db: Db, room = 0): Promise<void> => {
  const newest = db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(isNull(oauthClients.lastUsedAt))
    .orderBy(desc(oauthClients.id))
    .offset(MAX_UNUSED_CLIENTS - room)
    .limit(1)
  const isSurplus = and(isNull(oauthClients.lastUsedAt), lte(oauthClients.id, newest))
  const isUnused = and(
    isNull(oauthClients.lastUsedAt),
    lt(oauthClients.createdAt, sql`now() - interval '7 days'`),
  )
  const isIdle = lt(oauthClients.lastUsedAt, sql`now() - interval '400 days'`)
  await db.delete(oauthClients).where(or(isUnused, isSurplus, isIdle))
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

/** Keeps expired codes for a day, to detect their reuse. */
export const deleteOldCodes = async (db: Db): Promise<void> => {
  await db.delete(oauthCodes).where(lt(oauthCodes.expiresAt, sql`now() - interval '1 day'`))
}

export interface LockedCode {
  code: OAuthCodeRow
  user: UserRow
  /** The code is not expired, and the session that authorized it is live. */
  isLive: boolean
  /** The user is a member of the organization of the code. */
  isMember: boolean
}

/**
 * Locks a code, so that parallel requests cannot redeem it twice. The user is locked first, in the same
 * order as when the account is deleted or all its sessions end.
 */
export const lockCode = async (tx: Db, codeHash: string): Promise<LockedCode | undefined> => {
  const isCode = eq(oauthCodes.codeHash, codeHash)
  const [owner] = await tx
    .select({ userId: oauthCodes.userId, orgId: oauthCodes.orgId })
    .from(oauthCodes)
    .where(isCode)
  if (!owner || !(await lockForSignIn(tx, owner.userId))) return undefined
  const isMember =
    owner.orgId === null || (await lockMembershipIfAny(tx, owner.userId, owner.orgId))
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

/** Revokes the unused codes of a user. */
export const revokeCodes = async (tx: Db, userId: string): Promise<void> => {
  await tx
    .update(oauthCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(oauthCodes.userId, userId), isNull(oauthCodes.usedAt)))
}

/** @param grantId the session of the grant, or null for a failed exchange. */
export const markCodeUsed = async (
  tx: Db,
  codeHash: string,
  grantId: string | null,
): Promise<void> => {
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
  scopes: Scope[] | null
  pausedAt: Date | null
  org: OrgContext | null
}

/**
 * Finds a live grant with its user. A grant of a disabled user, or for an organization that the user has
 * left, is not found. Each request with a token of a client makes this query.
 */
export const prepareFindGrant = (db: Db) => {
  const query = db
    .select({
      session: sessions,
      user: users,
      clientId: oauthGrants.clientId,
      orgId: oauthGrants.orgId,
      scopes: oauthGrants.scopes,
      pausedAt: oauthGrants.pausedAt,
      org: { id: orgs.id, name: orgs.name, role: orgMembers.role },
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
    return { ...row, org: orgContextOf(row.org) }
  }
}

export interface ListedGrant {
  session: SessionRow
  clientId: string
  org: { id: string; name: string } | null
  scopes: Scope[] | null
  pausedAt: Date | null
}

/** Changes what a live grant of a user may do. @returns whether there is one. */
export const updateGrant = async (
  tx: Db,
  userId: string,
  sessionId: string,
  change: { scopes?: Scope[] | null; pausedAt?: Date | null },
): Promise<boolean> => {
  const isLive = and(eq(oauthGrants.userId, userId), eq(oauthGrants.sessionId, sessionId))
  const rows = Object.keys(change).length
    ? await tx
        .update(oauthGrants)
        .set(change)
        .where(isLive)
        .returning({ userId: oauthGrants.userId })
    : await tx.select({ userId: oauthGrants.userId }).from(oauthGrants).where(isLive)
  return rows.length > 0
}

/** The live grants of a user, newest first. */
export const listGrants = (db: Db, userId: string): Promise<ListedGrant[]> =>
  db
    .select({
      session: sessions,
      clientId: oauthGrants.clientId,
      scopes: oauthGrants.scopes,
      pausedAt: oauthGrants.pausedAt,
      org: { id: orgs.id, name: orgs.name },
    })
    .from(oauthGrants)
    .innerJoin(sessions, eq(sessions.id, oauthGrants.sessionId))
    .leftJoin(orgs, eq(orgs.id, oauthGrants.orgId))
    .where(
      and(
        eq(oauthGrants.userId, userId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
    .orderBy(desc(sessions.id))

/** The organizations of a user, by name. */
export const listMemberships = (db: Db, userId: string): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: orgs.id, name: orgs.name })
    .from(orgMembers)
    .innerJoin(orgs, eq(orgs.id, orgMembers.orgId))
    .where(eq(orgMembers.userId, userId))
    .orderBy(orgs.name, orgs.id)

/** Deletes the unused codes of a user for an organization, and ends the grants. */
export const revokeGrantsIn = async (tx: Db, orgId: string, userId: string): Promise<void> => {
  const isOfMember = (table: typeof oauthGrants | typeof oauthCodes) =>
    and(eq(table.userId, userId), eq(table.orgId, orgId))
  await tx.delete(oauthCodes).where(isOfMember(oauthCodes))
  const grants = tx
    .select({ id: oauthGrants.sessionId })
    .from(oauthGrants)
    .where(isOfMember(oauthGrants))
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(isNull(sessions.revokedAt), inArray(sessions.id, grants)))
}
