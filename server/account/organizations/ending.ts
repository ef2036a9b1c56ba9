import type { Db } from '../../platform/db/database.ts'
import { deleteMember } from './store.ts'

/** Revokes credentials of one kind that a user has for an organization. */
type RevokeInOrg = (tx: Db, orgId: string, userId: string) => Promise<void>

export type EndMembership = (tx: Db, orgId: string, userId: string) => Promise<void>

/** Ends a membership and then the credentials that depend on it. */
export const createEndMembership =
  (revocations: readonly RevokeInOrg[]): EndMembership =>
  async (tx, orgId, userId) => {
    await deleteMember(tx, orgId, userId)
    for (const revoke of revocations) await revoke(tx, orgId, userId)
  }
