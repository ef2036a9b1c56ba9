import { and, desc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { Scope } from '../../../../shared/contract/scopes.ts'
import type { Db } from '../../../platform/db/database.ts'
import { lockMembershipIfAny } from '../../organizations/membership.ts'
import type { PolicyFacts } from '../../organizations/policies/shortfall.ts'
import { policyColumns } from '../../organizations/policies/store.ts'
import { orgMembers, orgs } from '../../organizations/table.ts'
import { lockForSignIn } from '../../users/store.ts'
import { type UserRow, users } from '../../users/table.ts'
import { type OrgContext, orgContextOf } from '../caller.ts'
import { type SessionRow, sessions } from '../sessions/table.ts'
import { type OAuthCodeRow, oauthCodes, oauthConsents, oauthGrants } from './table.ts'

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
  /** The seconds since it was used; 0 if it was not. */
  usedSeconds: number
  /** The user is a member of the organization of the code, which allows the client. */
  isAllowed: boolean
  signedInAt: Date
}

/**
 * Locks a code, so that parallel requests cannot redeem it twice. The user is locked first, in the same
 * order as when the account is deleted or all its sessions end.
 */
export const lockCode = async (tx: Db, codeHash: string): Promise<LockedCode | undefined> => {
  const isCode = eq(oauthCodes.codeHash, codeHash)
  const [owner] = await tx
    .select({
      userId: oauthCodes.userId,
      orgId: oauthCodes.orgId,
      clientId: oauthCodes.clientId,
    })
    .from(oauthCodes)
    .where(isCode)
  if (!owner || !(await lockForSignIn(tx, owner.userId))) return undefined
  const isAllowed = await lockUse(tx, owner)
  const [row] = await tx
    .select({
      code: oauthCodes,
      user: users,
      isLive: sql<boolean>`${oauthCodes.expiresAt} > now() and ${sessions.revokedAt} is null`,
      usedSeconds: sql<number>`coalesce(extract(epoch from now() - ${oauthCodes.usedAt}), 0)::float8`,
      signedInAt: sessions.createdAt,
    })
    .from(oauthCodes)
    .innerJoin(users, eq(users.id, oauthCodes.userId))
    .innerJoin(sessions, eq(sessions.id, oauthCodes.sessionId))
    .where(isCode)
    .for('update', { of: oauthCodes })
  return row && { ...row, isAllowed }
}

/**
 * Locks the membership that a client acts by, if it is to act in an organization.
 * @returns whether the user is a member and the organization allows the client.
 */
export const lockUse = async (
  tx: Db,
  { userId, orgId, clientId }: { userId: string; orgId: string | null; clientId: string },
): Promise<boolean> => {
  if (orgId === null) return true
  if (!(await lockMembershipIfAny(tx, userId, orgId))) return false
  const [row] = await tx
    .select({ id: orgs.id })
    .from(orgs)
    .where(and(eq(orgs.id, orgId), allowsClient(sql`${clientId}`)))
  return row !== undefined
}

/** Whether the joined organization allows a client. */
const allowsClient = (clientId: SQL | typeof oauthGrants.clientId) =>
  or(isNull(orgs.allowedClients), sql`${clientId} = any(${orgs.allowedClients})`)

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
  agreedScopes: AppScope[] | null
  signInId: string | null
  signedInAt: Date | null
  org: OrgContext | null
  facts: PolicyFacts
}

const signIns = alias(sessions, 'sign_ins')

/** An app without `offline_access` loses its access with the session that authorized it. */
const isAuthorized = or(
  isNull(oauthGrants.agreedScopes),
  sql`'offline_access' = any(${oauthGrants.agreedScopes})`,
  and(isNull(signIns.revokedAt), gt(signIns.expiresAt, sql`now()`)),
)

/**
 * Finds a live grant with its user. A grant of a disabled user, or for an organization that the user has
 * left or that does not allow the client, is not found. Each request with a token of a client makes this
 * query.
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
      agreedScopes: oauthGrants.agreedScopes,
      signInId: oauthGrants.signInId,
      signedInAt: oauthGrants.signedInAt,
      org: { id: orgs.id, name: orgs.name, role: orgMembers.role },
      ...policyColumns,
    })
    .from(oauthGrants)
    .innerJoin(sessions, eq(sessions.id, oauthGrants.sessionId))
    .innerJoin(users, and(eq(users.id, oauthGrants.userId), isNull(users.disabledAt)))
    .leftJoin(
      orgMembers,
      and(eq(orgMembers.userId, oauthGrants.userId), eq(orgMembers.orgId, oauthGrants.orgId)),
    )
    .leftJoin(orgs, eq(orgs.id, orgMembers.orgId))
    .leftJoin(signIns, eq(signIns.id, oauthGrants.signInId))
    .where(
      and(
        eq(oauthGrants.sessionId, sql.placeholder('id')),
        isAuthorized,
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
        or(
          isNull(oauthGrants.orgId),
          and(eq(orgMembers.orgId, oauthGrants.orgId), allowsClient(oauthGrants.clientId)),
        ),
      ),
    )
    .prepare('find_grant')
  return async (id: string): Promise<FoundGrant | undefined> => {
    const [row] = await query.execute({ id })
    if (!row) return undefined
    const { policies, accountFactor, ...grant } = row
    return { ...grant, org: orgContextOf(row.org), facts: { policies, accountFactor } }
  }
}

export interface ListedGrant {
  session: SessionRow
  clientId: string
  org: { id: string; name: string } | null
  scopes: Scope[] | null
  pausedAt: Date | null
}

/** Changes what a live grant of the MCP endpoint may do. @returns whether there is one. */
export const updateGrant = async (
  tx: Db,
  userId: string,
  sessionId: string,
  change: { scopes?: Scope[] | null; pausedAt?: Date | null },
): Promise<boolean> => {
  const isLive = and(
    eq(oauthGrants.userId, userId),
    eq(oauthGrants.sessionId, sessionId),
    isNull(oauthGrants.agreedScopes),
  )
  const rows = Object.keys(change).length
    ? await tx
        .update(oauthGrants)
        .set(change)
        .where(isLive)
        .returning({ userId: oauthGrants.userId })
    : await tx.select({ userId: oauthGrants.userId }).from(oauthGrants).where(isLive)
  return rows.length > 0
}

/** The live grants of the MCP endpoint of a user, newest first. */
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
        isNull(oauthGrants.agreedScopes),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
    .orderBy(desc(sessions.id))

/** The organizations of a user that allow a client, by name. */
export const listMemberships = (
  db: Db,
  userId: string,
  clientId: string,
): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: orgs.id, name: orgs.name })
    .from(orgMembers)
    .innerJoin(orgs, eq(orgs.id, orgMembers.orgId))
    .where(and(eq(orgMembers.userId, userId), allowsClient(sql`${clientId}`)))
    .orderBy(orgs.name, orgs.id)

/** When a session began; undefined for one that has ended. */
export const findSignIn = async (db: Db, sessionId: string): Promise<Date | undefined> => {
  const [row] = await db
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
  return row?.createdAt
}

/** Deletes the consents and unused codes of a user for an organization, and ends the grants. */
export const revokeGrantsIn = async (tx: Db, orgId: string, userId: string): Promise<void> => {
  const isOfMember = (table: GrantTable) => and(eq(table.userId, userId), eq(table.orgId, orgId))
  await endGrants(tx, isOfMember)
}

/** Deletes the consents and unused codes of a user, whose sessions and with them the grants end too. */
export const deleteConsents = async (tx: Db, userId: string): Promise<void> => {
  await tx.delete(oauthCodes).where(eq(oauthCodes.userId, userId))
  await tx.delete(oauthConsents).where(eq(oauthConsents.userId, userId))
}

/** Ends what a user granted a client. */
export const revokeGrantsTo = (tx: Db, userId: string, clientId: string): Promise<void> =>
  endGrants(tx, (table) => and(eq(table.userId, userId), eq(table.clientId, clientId)))

/** Ends what all users granted a client. */
export const revokeClient = (tx: Db, clientId: string): Promise<void> =>
  endGrants(tx, (table) => eq(table.clientId, clientId))

type GrantTable = typeof oauthGrants | typeof oauthCodes | typeof oauthConsents

const endGrants = async (
  tx: Db,
  condition: (table: GrantTable) => SQL | undefined,
): Promise<void> => {
  await tx.delete(oauthCodes).where(condition(oauthCodes))
  await tx.delete(oauthConsents).where(condition(oauthConsents))
  const grants = tx
    .select({ id: oauthGrants.sessionId })
    .from(oauthGrants)
    .where(condition(oauthGrants))
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(isNull(sessions.revokedAt), inArray(sessions.id, grants)))
}
