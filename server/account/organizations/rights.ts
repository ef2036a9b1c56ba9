import type { OrgRole } from '../../../shared/contract/organizations.ts'
import type { EventType } from '../../../shared/events.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { commonError } from '../../platform/http/error.ts'
import { type AuditAction, recordAudit } from '../users/audit/store.ts'
import { emitEvents } from '../users/events/store.ts'
import { lockUserExclusive } from '../users/lock.ts'
import type { UserRow } from '../users/table.ts'
import { orgError } from './errors.ts'
import { findRole, lockOrg, lockUsersSkipLocked } from './store.ts'
import type { OrgRow } from './table.ts'

/**
 * An API key of an organization reaches no other organization.
 * @throws ApiError 403 for another organization.
 */
export const checkKeyScope = ({ keyId, me }: Caller, orgId: string): void => {
  if (keyId && me.org && me.org.id !== orgId.toLowerCase()) throw commonError('not_org_member')
}

/** @throws ApiError 403 for an API key of an organization, which cannot act for its user. */
export const checkPersonalCredential = ({ keyId, me }: Caller): void => {
  if (keyId && me.org) throw orgError('org_key_not_allowed')
}

/**
 * Locks the user of the caller. A transaction that locks a user and an organization locks the user first.
 * @throws ApiError 401 when the user was deleted.
 */
export const lockCaller = async (tx: Db, caller: Caller): Promise<UserRow> => {
  const user = await lockUserExclusive(tx, caller.userId)
  if (!user) throw commonError('bad_credentials')
  return user
}

/**
 * Locks an organization for a change by one of its members.
 * @throws ApiError 403 when the caller is not a member or the organization does not exist.
 */
export const lockOrgAsMember = async (
  tx: Db,
  caller: Caller,
  orgId: string,
  lock: (tx: Db, orgId: string) => Promise<OrgRow | undefined> = lockOrg,
): Promise<{ org: OrgRow; role: OrgRole }> => {
  checkKeyScope(caller, orgId)
  await lockCaller(tx, caller)
  // The key of the advisory lock is the id as the database writes it, in lower case.
  const org = await lock(tx, orgId.toLowerCase())
  const role = org && (await findRole(tx, orgId, caller.userId))
  if (!role) throw commonError('not_org_member')
  return { org, role }
}

/** @throws ApiError 403 for a member who is not an owner. */
export const checkOwner = (role: OrgRole): void => {
  if (role !== 'owner') throw orgError('org_owner_required')
}

/** @throws ApiError 403 for a member who is neither owner nor admin. */
export const checkManager = (role: OrgRole): void => {
  if (role === 'member') throw orgError('org_manager_required')
}

/** @throws ApiError 403 for a caller who is neither owner nor admin of the organization. */
export const checkCallerManages = async (db: Db, caller: Caller, orgId: string): Promise<void> => {
  checkKeyScope(caller, orgId)
  const role = await findRole(db, orgId, caller.userId)
  if (!role) throw commonError('not_org_member')
  checkManager(role)
}

/**
 * Owners change every role. Admins change admins and members, and only to these roles.
 * @throws ApiError 403
 */
export const checkRoleChange = (actor: OrgRole, from: OrgRole, to: OrgRole): void => {
  checkManager(actor)
  if (from === 'owner' || to === 'owner') checkOwner(actor)
}

/**
 * Owners remove every member. Admins remove members who are not owners.
 * @throws ApiError 403
 */
export const checkRemoval = (actor: OrgRole, target: OrgRole): void => {
  checkManager(actor)
  if (target === 'owner') checkOwner(actor)
}

const EVENTS: Partial<Record<AuditAction, EventType>> = {
  'org.created': 'organization.created',
  'org.renamed': 'organization.updated',
  'org.deleted': 'organization.deleted',
  'org.invited': 'member.invited',
  'org.invite_withdrawn': 'member.invite_withdrawn',
  'org.member_joined': 'member.joined',
  'org.member_removed': 'member.removed',
  'org.role_changed': 'member.role_changed',
  'org.policies_changed': 'organization.updated',
  'org.domain_verified': 'organization.updated',
  'org.domain_changed': 'organization.updated',
  'org.domain_removed': 'organization.updated',
  'org.domain_ended': 'organization.updated',
}

interface OrgChange {
  concerns: string[]
  details?: Record<string, string>
}

/**
 * Records an action in an organization in the audit log of the actor and of the users it concerns.
 * Users whose accounts are being deleted are left out.
 */
export const recordOrgAudit = async (
  tx: Db,
  action: AuditAction,
  orgId: string,
  { by, concerns = [], details = {} }: Partial<OrgChange> & { by: string },
): Promise<void> => {
  await emitOrgEvent(tx, action, orgId, { userId: by, details })
  for (const userId of await lockUsersSkipLocked(tx, [...new Set([by, ...concerns])]))
    await recordAudit(tx, {
      userId,
      action,
      subject: orgId.toLowerCase(),
      details: userId === by ? details : { ...details, by },
    })
}

/** Like `recordOrgAudit`, for what the server did itself. The event is of the first user that it concerns. */
export const recordOrgChange = async (
  tx: Db,
  action: AuditAction,
  orgId: string,
  { concerns, details = {} }: OrgChange,
): Promise<void> => {
  const [first] = concerns
  if (first) await emitOrgEvent(tx, action, orgId, { userId: first, details })
  for (const userId of await lockUsersSkipLocked(tx, concerns))
    await recordAudit(tx, { userId, action, subject: orgId.toLowerCase(), details })
}

const emitOrgEvent = async (
  tx: Db,
  action: AuditAction,
  orgId: string,
  { userId, details }: { userId: string; details: Record<string, string> },
): Promise<void> => {
  const type = EVENTS[action]
  if (type) await emitEvents(tx, [{ type, userId, orgId: orgId.toLowerCase(), details }])
}
