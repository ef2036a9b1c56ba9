import type { OrgRole } from '../../../shared/contract/organizations.ts'
import { orgError } from './errors.ts'

/** @throws ApiError 403 for a member who is not an owner. */
export const checkOwner = (role: OrgRole): void => {
  if (role !== 'owner') throw orgError('org_owner_required')
}

/** @throws ApiError 403 for a member who is neither owner nor admin. */
export const checkManager = (role: OrgRole): void => {
  if (role === 'member') throw orgError('org_manager_required')
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
