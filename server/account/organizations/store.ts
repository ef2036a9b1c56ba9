import { and, asc, count, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { OrgRole } from '../../../shared/contract/organizations.ts'
import type { TierName } from '../../../shared/tiers.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockExclusive } from '../../platform/db/locks.ts'
import { type UserRow, users } from '../users/table.ts'
import type { PolicyFacts } from './policies/shortfall.ts'
import { policyColumns } from './policies/store.ts'
import { type OrgMemberRow, type OrgRow, orgInvites, orgMembers, orgs } from './table.ts'

/** Serializes changes to an organization. Writes that only reference it are not blocked. */
export const lockOrg = async (tx: Db, orgId: string): Promise<OrgRow | undefined> => {
  const [row] = await tx.select().from(orgs).where(eq(orgs.id, orgId)).for('no key update')
  return row
}

/** Blocks changes to an organization and writes that reference it until the end of the transaction. */
export const lockOrgForDelete = async (tx: Db, orgId: string): Promise<OrgRow | undefined> => {
  await lockExclusive(tx, 'orgs', orgId)
  const [row] = await tx.select().from(orgs).where(eq(orgs.id, orgId)).for('update')
  return row
}

/**
 * Locks users against deletion, except those that another transaction has locked. Because it does not
 * wait, it may come after the lock of an organization.
 * @returns the ids of the locked users.
 */
export const lockUsersSkipLocked = async (tx: Db, userIds: string[]): Promise<string[]> => {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .for('key share', { skipLocked: true })
  return rows.map(({ id }) => id)
}

/** The seats that are taken in an organization. */
export interface SeatUse {
  memberCount: number
  openInvites: number
  /** The tiers of its owners. */
  tiers: TierName[]
}

/** An organization from the view of one member. */
export interface OrgView extends SeatUse, PolicyFacts {
  org: OrgRow
  role: OrgRole
  isActive: boolean
}

/** Open invites take a seat. */
const openInvites = sql<number>`(select count(*)::int from ${orgInvites} i
  where i.org_id = ${orgs.id} and i.accepted_at is null and i.expires_at > now())`
const memberCount = sql<number>`(select count(*)::int from ${orgMembers} c where c.org_id = ${orgs.id})`
const ownersTiers = sql<TierName[]>`(select array_agg(distinct u.tier) from ${orgMembers} c
  join ${users} u on u.id = c.user_id where c.org_id = ${orgs.id} and c.role = 'owner')`

const seatUse = { memberCount, openInvites, tiers: ownersTiers }

/** @returns undefined for an organization that does not exist. */
export const findSeatUse = async (db: Db, orgId: string): Promise<SeatUse | undefined> => {
  const [row] = await db
    .select(seatUse)
    .from(orgs)
    // A statement of two tables has columns with the names of their tables, which `seatUse` needs.
    .innerJoin(orgMembers, eq(orgMembers.orgId, orgs.id))
    .where(eq(orgs.id, orgId))
    .limit(1)
  return row
}

const listOrgViews = (db: Db, userId: string, condition?: SQL): Promise<OrgView[]> =>
  db
    .select({
      org: orgs,
      role: orgMembers.role,
      isActive: sql<boolean>`coalesce(${users.activeOrgId} = ${orgs.id}, false)`,
      ...seatUse,
      ...policyColumns,
    })
    .from(orgMembers)
    .innerJoin(orgs, eq(orgs.id, orgMembers.orgId))
    .innerJoin(users, eq(users.id, orgMembers.userId))
    .where(and(eq(orgMembers.userId, userId), condition))
    .orderBy(asc(orgs.id))

/** In order of creation. */
export const listOrgsOfUser = (db: Db, userId: string): Promise<OrgView[]> =>
  listOrgViews(db, userId)

export const findOrgView = async (db: Db, userId: string, orgId: string) =>
  (await listOrgViews(db, userId, eq(orgs.id, orgId)))[0]

export const countMembers = (db: Db, orgId: string): Promise<number> =>
  db.$count(orgMembers, eq(orgMembers.orgId, orgId))

export const insertOrg = async (tx: Db, org: { id: string; name: string }): Promise<void> => {
  await tx.insert(orgs).values(org)
}

export const renameOrg = async (tx: Db, orgId: string, name: string): Promise<void> => {
  await tx.update(orgs).set({ name, updatedAt: sql`now()` }).where(eq(orgs.id, orgId))
}

/** Deletes an organization and, by cascade, its members, invites and API keys. */
export const deleteOrg = async (tx: Db, orgId: string): Promise<void> => {
  await tx.delete(orgs).where(eq(orgs.id, orgId))
}

const isMember = (orgId: string, userId: string) =>
  and(eq(orgMembers.orgId, orgId), eq(orgMembers.userId, userId))

/** @returns undefined when the user is not a member or the organization does not exist. */
export const findRole = async (
  db: Db,
  orgId: string,
  userId: string,
): Promise<OrgRole | undefined> => {
  const [row] = await db
    .select({ role: orgMembers.role })
    .from(orgMembers)
    .where(isMember(orgId, userId))
  return row?.role
}

export type Member = OrgMemberRow & {
  user: Pick<UserRow, 'username' | 'displayName' | 'email' | 'avatarUrl'>
}

/** All members, or the one with `userId`, in order of joining. */
export const listMembers = async (db: Db, orgId: string, userId?: string): Promise<Member[]> => {
  const rows = await db
    .select({ member: orgMembers, user: users })
    .from(orgMembers)
    .innerJoin(users, eq(users.id, orgMembers.userId))
    .where(and(eq(orgMembers.orgId, orgId), userId ? eq(orgMembers.userId, userId) : undefined))
    .orderBy(asc(orgMembers.joinedAt), asc(orgMembers.userId))
  return rows.map(({ member, user }) => ({ ...member, user }))
}

export const listMemberIds = async (db: Db, orgId: string): Promise<string[]> => {
  const rows = await db
    .select({ userId: orgMembers.userId })
    .from(orgMembers)
    .where(eq(orgMembers.orgId, orgId))
  return rows.map(({ userId }) => userId)
}

export const hasMemberWithEmail = async (
  db: Db,
  orgId: string,
  email: string,
): Promise<boolean> => {
  const [row] = await db
    .select({ total: count() })
    .from(orgMembers)
    .innerJoin(users, eq(users.id, orgMembers.userId))
    .where(and(eq(orgMembers.orgId, orgId), eq(users.email, email)))
  return (row?.total ?? 0) > 0
}

/** Whether an organization has an owner other than this user. */
export const hasOtherOwner = async (db: Db, orgId: string, userId: string): Promise<boolean> => {
  const others = and(
    eq(orgMembers.orgId, orgId),
    eq(orgMembers.role, 'owner'),
    ne(orgMembers.userId, userId),
  )
  return (await db.$count(orgMembers, others)) > 0
}

export const insertMember = async (
  tx: Db,
  member: { orgId: string; userId: string; role: OrgRole },
): Promise<void> => {
  await tx.insert(orgMembers).values(member)
}

/** Locks a membership until the end of the transaction. @returns whether it exists. */
export const lockMemberRow = async (tx: Db, orgId: string, userId: string): Promise<boolean> => {
  const rows = await tx
    .select({ role: orgMembers.role })
    .from(orgMembers)
    .where(isMember(orgId, userId))
    .for('share')
  return rows.length > 0
}

export const changeRole = async (
  tx: Db,
  orgId: string,
  userId: string,
  role: OrgRole,
): Promise<void> => {
  await tx.update(orgMembers).set({ role }).where(isMember(orgId, userId))
}

export const deleteMember = async (tx: Db, orgId: string, userId: string): Promise<void> => {
  await tx.delete(orgMembers).where(isMember(orgId, userId))
}

/** In the order in which organizations are locked. */
export const listOrgIdsOfUser = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db
    .select({ orgId: orgMembers.orgId })
    .from(orgMembers)
    .where(eq(orgMembers.userId, userId))
    .orderBy(asc(orgMembers.orgId))
  return rows.map(({ orgId }) => orgId)
}

/** Locks the organizations of a user, and the memberships. */
export const lockOrgsOf = async (tx: Db, userId: string): Promise<void> => {
  for (const orgId of await listOrgIdsOfUser(tx, userId)) await lockOrgForDelete(tx, orgId)
  await tx.select().from(orgMembers).where(eq(orgMembers.userId, userId)).for('update')
}

/** Sets the organization of requests without `X-Org-ID`. @returns whether the user is a member. */
export const activate = async (db: Db, userId: string, orgId: string): Promise<boolean> => {
  const member = sql`exists (select from ${orgMembers} m where m.org_id = ${orgId} and m.user_id = ${userId})`
  const rows = await db
    .update(users)
    .set({ activeOrgId: orgId })
    .where(and(eq(users.id, userId), member))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Resets the active organization; with `orgId` only if it is that one. */
export const deactivate = async (db: Db, userId: string, orgId?: string): Promise<void> => {
  await db
    .update(users)
    .set({ activeOrgId: null })
    .where(and(eq(users.id, userId), orgId ? eq(users.activeOrgId, orgId) : undefined))
}
