import { and, asc, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { users } from '../../users/table.ts'
import { type OrgInviteRow, orgInvites, orgs } from '../table.ts'

const isOpen = () => and(isNull(orgInvites.acceptedAt), gt(orgInvites.expiresAt, sql`now()`))

/** Oldest first. */
export const listOpenInvites = (db: Db, orgId: string): Promise<OrgInviteRow[]> =>
  db
    .select()
    .from(orgInvites)
    .where(and(eq(orgInvites.orgId, orgId), isOpen()))
    .orderBy(asc(orgInvites.id))

/** The newest open invite of an organization to an address. */
export const findOpenInvite = async (
  db: Db,
  orgId: string,
  email: string,
): Promise<OrgInviteRow | undefined> => {
  const [row] = await db
    .select()
    .from(orgInvites)
    .where(and(eq(orgInvites.orgId, orgId), eq(orgInvites.email, email), isOpen()))
    .orderBy(desc(orgInvites.id))
    .limit(1)
  return row
}

/** Whether any organization has an open invite to an address. */
export const hasOpenInvite = async (db: Db, email: string): Promise<boolean> =>
  (await db.$count(orgInvites, and(eq(orgInvites.email, email), isOpen()))) > 0

/** Invites expire seven days after the start of the transaction. */
export const insertInvite = async (
  tx: Db,
  invite: Omit<typeof orgInvites.$inferInsert, 'createdAt' | 'expiresAt'>,
): Promise<OrgInviteRow> => {
  const expiresAt = sql`now() + interval '7 days'`
  const [row] = await tx
    .insert(orgInvites)
    .values({ ...invite, expiresAt })
    .returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

/**
 * Deletes the open invite of an organization to an address, and invites that expired more than 30 days
 * ago.
 */
export const deleteReplacedInvites = async (
  tx: Db,
  orgId: string,
  email: string,
): Promise<void> => {
  const isOpenTo = and(eq(orgInvites.email, email), isNull(orgInvites.acceptedAt))
  const isOld = lt(orgInvites.expiresAt, sql`now() - interval '30 days'`)
  await tx.delete(orgInvites).where(and(eq(orgInvites.orgId, orgId), or(isOpenTo, isOld)))
}

/** @returns whether the invite existed and was not accepted. */
export const deleteInvite = async (tx: Db, orgId: string, inviteId: string): Promise<boolean> => {
  const rows = await tx
    .delete(orgInvites)
    .where(
      and(eq(orgInvites.orgId, orgId), eq(orgInvites.id, inviteId), isNull(orgInvites.acceptedAt)),
    )
    .returning({ id: orgInvites.id })
  return rows.length > 0
}

/** Deletes the invites of a user to an organization that are not accepted. */
export const deleteInvitesBy = async (tx: Db, orgId: string, userId: string): Promise<void> => {
  const isTheirs = and(eq(orgInvites.orgId, orgId), eq(orgInvites.invitedBy, userId))
  await tx.delete(orgInvites).where(and(isTheirs, isNull(orgInvites.acceptedAt)))
}

interface FoundInvite {
  invite: OrgInviteRow
  orgName: string
  /** Null when the account is deleted. */
  inviter: { display_name: string | null; email: string } | null
}

export const findInvite = async (db: Db, tokenHash: string): Promise<FoundInvite | undefined> => {
  const [row] = await db
    .select({
      invite: orgInvites,
      orgName: orgs.name,
      inviter: { display_name: users.displayName, email: users.email },
    })
    .from(orgInvites)
    .innerJoin(orgs, eq(orgs.id, orgInvites.orgId))
    .leftJoin(users, eq(users.id, orgInvites.invitedBy))
    .where(eq(orgInvites.tokenHash, tokenHash))
  return row
}

/** Marks an invite as accepted. @returns undefined when it is not open. */
export const consumeInvite = async (
  tx: Db,
  inviteId: string,
): Promise<OrgInviteRow | undefined> => {
  const [row] = await tx
    .update(orgInvites)
    .set({ acceptedAt: sql`now()` })
    .where(and(eq(orgInvites.id, inviteId), isOpen()))
    .returning()
  return row
}

/** Deletes the open invites of an organization. */
export const deleteOpenInvites = async (tx: Db, orgId: string): Promise<void> => {
  await tx.delete(orgInvites).where(and(eq(orgInvites.orgId, orgId), isOpen()))
}

/** @returns whether the invite was open. */
export const deleteOpenInvite = async (db: Db, tokenHash: string): Promise<boolean> => {
  const rows = await db
    .delete(orgInvites)
    .where(and(eq(orgInvites.tokenHash, tokenHash), isOpen()))
    .returning({ id: orgInvites.id })
  return rows.length > 0
}

/**
 * Deletes the invites to the address of an account that is being deleted: the accepted ones and, if the
 * address is verified, the open ones.
 */
export const deleteInvitesTo = async (tx: Db, user: { id: string; email: string }) => {
  const isVerified = sql`exists (select from ${users} u where u.id = ${user.id} and u.email_verified)`
  await tx
    .delete(orgInvites)
    .where(and(eq(orgInvites.email, user.email), or(isNotNull(orgInvites.acceptedAt), isVerified)))
}
