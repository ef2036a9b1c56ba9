import { and, asc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { type OrgInviteRow, orgInvites, orgs } from './table.ts'

const isOpen = () => and(isNull(orgInvites.acceptedAt), gt(orgInvites.expiresAt, sql`now()`))

/** Those that wait for an answer, oldest first. */
export const listOpenInvites = (db: Db, orgId: string): Promise<OrgInviteRow[]> =>
  db
    .select()
    .from(orgInvites)
    .where(and(eq(orgInvites.orgId, orgId), isOpen()))
    .orderBy(asc(orgInvites.id))

/** Keeps an invite, which is good for seven days from the instant that it is made at. */
export const insertInvite = async (
  tx: Db,
  invite: Omit<typeof orgInvites.$inferInsert, 'createdAt' | 'expiresAt'>,
): Promise<OrgInviteRow> => {
  const expiresAt = sql`now() + interval '7 days'`
  const [row] = await tx
    .insert(orgInvites)
    .values({ ...invite, expiresAt })
    .returning()
  return row as OrgInviteRow
}

/** Takes away an organization's unanswered invite to an address, and what is over since a month. */
export const clearInvites = async (tx: Db, orgId: string, email: string): Promise<void> => {
  const isReplaced = and(eq(orgInvites.email, email), isNull(orgInvites.acceptedAt))
  const isOld = lt(orgInvites.expiresAt, sql`now() - interval '30 days'`)
  await tx.delete(orgInvites).where(and(eq(orgInvites.orgId, orgId), or(isReplaced, isOld)))
}

/** @returns whether it was there, unanswered. */
export const deleteInvite = async (tx: Db, orgId: string, inviteId: string): Promise<boolean> => {
  const rows = await tx
    .delete(orgInvites)
    .where(
      and(eq(orgInvites.orgId, orgId), eq(orgInvites.id, inviteId), isNull(orgInvites.acceptedAt)),
    )
    .returning({ id: orgInvites.id })
  return rows.length > 0
}

/** Withdraws what somebody has invited to an organization, as far as nobody has answered it. */
export const deleteInvitesBy = async (tx: Db, orgId: string, userId: string): Promise<void> => {
  const isTheirs = and(eq(orgInvites.orgId, orgId), eq(orgInvites.invitedBy, userId))
  await tx.delete(orgInvites).where(and(isTheirs, isNull(orgInvites.acceptedAt)))
}

/** An invite with its organization, and who invites if they are still there. */
export interface FoundInvite {
  invite: OrgInviteRow
  orgName: string
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

/** Uses an invite up. @returns it, or undefined when it is not open any more. */
export const takeInvite = async (tx: Db, inviteId: string): Promise<OrgInviteRow | undefined> => {
  const [row] = await tx
    .update(orgInvites)
    .set({ acceptedAt: sql`now()` })
    .where(and(eq(orgInvites.id, inviteId), isOpen()))
    .returning()
  return row
}

/** @returns whether it was open. */
export const declineInvite = async (db: Db, tokenHash: string): Promise<boolean> => {
  const rows = await db
    .delete(orgInvites)
    .where(and(eq(orgInvites.tokenHash, tokenHash), isOpen()))
    .returning({ id: orgInvites.id })
  return rows.length > 0
}

/**
 * Takes away the invites to an address whose account is being deleted: the answered ones, and where the
 * account has proved that the address is its owner's, those that wait.
 */
export const deleteInvitesTo = async (tx: Db, user: { id: string; email: string }) => {
  const isProved = sql`exists (select from ${users} u where u.id = ${user.id} and u.email_verified)`
  await tx
    .delete(orgInvites)
    .where(and(eq(orgInvites.email, user.email), or(isNotNull(orgInvites.acceptedAt), isProved)))
}
