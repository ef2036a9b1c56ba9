import { and, eq, sql } from 'drizzle-orm'
import { holdUser } from '../../account/users/hold.ts'
import type { Db } from '../../platform/db/database.ts'
import { sharesTurn } from '../../platform/db/turns.ts'
import { notOrgMember } from './acting.ts'
import { orgMembers, orgs } from './table.ts'

/**
 * Keeps somebody a member until the end of the transaction. The person and the organization are held
 * first, in this order, as by whoever deletes one of them.
 * @returns whether they are one.
 */
export const isHeldMember = async (tx: Db, userId: string, orgId: string): Promise<boolean> => {
  await holdUser(tx, userId)
  await tx
    .select()
    .from(orgs)
    .where(and(eq(orgs.id, orgId), sql.raw(sharesTurn('id'))))
    .for('key share')
  const rows = await tx
    .select({ role: orgMembers.role })
    .from(orgMembers)
    .where(and(eq(orgMembers.orgId, orgId), eq(orgMembers.userId, userId)))
    .for('share')
  return rows.length > 0
}

/** Does as `isHeldMember`. @throws ApiError 403 for an organization that they are not in, or that is not there. */
export const holdMembership = async (tx: Db, userId: string, orgId: string): Promise<void> => {
  if (!(await isHeldMember(tx, userId, orgId))) throw notOrgMember()
}
