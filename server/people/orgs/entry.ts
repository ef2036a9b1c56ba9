import { errorText } from '../../../shared/errors.ts'
import type { OrgRole } from '../../../shared/schemas/orgs.ts'
import { type AuditAction, recordAudit } from '../../account/audit/store.ts'
import { holdUserAlone } from '../../account/users/hold.ts'
import type { UserRow } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { notOrgMember } from './acting.ts'
import { findRole, holdPeople, lockOrg } from './store.ts'
import type { OrgRow } from './table.ts'

/**
 * A key that acts in an organization reaches no other.
 * @throws ApiError 403 for another one.
 */
export const checkReach = ({ keyId, me }: Caller, orgId: string): void => {
  if (keyId && me.org && me.org.id !== orgId.toLowerCase()) throw notOrgMember()
}

/** @throws ApiError 403 for a key that acts in an organization, where a person acts for themselves. */
export const checkPersonal = ({ keyId, me }: Caller): void => {
  if (keyId && me.org)
    throw new ApiError(
      403,
      'A key that acts in an organization cannot do this; use one of your own',
    )
}

/**
 * Holds the caller alone. Whatever locks a person and an organization locks the person first, as writing
 * a memory does and deleting an account.
 * @throws ApiError 401 for somebody who was deleted meanwhile.
 */
export const holdCaller = async (tx: Db, caller: Caller): Promise<UserRow> => {
  const user = await holdUserAlone(tx, caller.userId)
  if (!user) throw new ApiError(401, errorText.badCredentials)
  return user
}

/**
 * Enters an organization to change something in it: nobody else does until the end of the transaction.
 * @throws ApiError 403 for an organization that the caller is not in, or that is not there.
 */
export const enter = async (
  tx: Db,
  caller: Caller,
  orgId: string,
  lock: (tx: Db, orgId: string) => Promise<OrgRow | undefined> = lockOrg,
): Promise<{ org: OrgRow; role: OrgRole }> => {
  checkReach(caller, orgId)
  await holdCaller(tx, caller)
  // A turn is told by the id as the database writes it.
  const org = await lock(tx, orgId.toLowerCase())
  const role = org && (await findRole(tx, orgId, caller.userId))
  if (!role) throw notOrgMember()
  return { org, role }
}

/** Notes what was done in an organization, for whoever did it and for the others whom it concerns. */
export const note = async (
  tx: Db,
  action: AuditAction,
  orgId: string,
  { by, of = [], details = {} }: { by: string; of?: string[]; details?: Record<string, string> },
): Promise<void> => {
  for (const userId of await holdPeople(tx, [...new Set([by, ...of])]))
    await recordAudit(tx, {
      userId,
      action,
      subject: orgId.toLowerCase(),
      details: userId === by ? details : { ...details, by },
    })
}
