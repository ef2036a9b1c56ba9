import { errorText } from '../../../shared/errors.ts'
import type { OrgRole } from '../../../shared/schemas/orgs.ts'
import type { AuditService } from '../../account/audit/service.ts'
import type { AuthorizationService } from '../../account/authorization/service.ts'
import type { KeyService } from '../../account/keys/service.ts'
import { holdUserAlone } from '../../account/users/hold.ts'
import type { UserRow } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { notOrgMember } from './acting.ts'
import { deleteMember, findRole, holdPeople, lockOrg } from './store.ts'
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

/** What of accounts organizations act on. */
export interface Accounts {
  audit: Pick<AuditService, 'record'>
  keys: Pick<KeyService, 'revokeIn'>
  authorization: Pick<AuthorizationService, 'endIn'>
}

type Action = Parameters<AuditService['record']>[1]['action']

/** Notes what was done in an organization, for whoever did it and for the others whom it concerns. */
export const noting =
  ({ audit }: Pick<Accounts, 'audit'>) =>
  async (
    tx: Db,
    action: Action,
    orgId: string,
    { by, of = [], details = {} }: { by: string; of?: string[]; details?: Record<string, string> },
  ): Promise<void> => {
    for (const userId of await holdPeople(tx, [...new Set([by, ...of])]))
      await audit.record(tx, {
        userId,
        action,
        subject: orgId.toLowerCase(),
        details: userId === by ? details : { ...details, by },
      })
  }

/**
 * Ends a membership, and after it the keys of it, and what programs were let in for: either is made
 * only while its maker is a member.
 */
export const endMembership = async (
  tx: Db,
  { keys, authorization }: Pick<Accounts, 'keys' | 'authorization'>,
  orgId: string,
  userId: string,
): Promise<void> => {
  await deleteMember(tx, orgId, userId)
  await keys.revokeIn(tx, orgId, userId)
  await authorization.endIn(tx, orgId, userId)
}
