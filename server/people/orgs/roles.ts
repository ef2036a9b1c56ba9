import type { OrgRole } from '../../../shared/schemas/orgs.ts'
import { ApiError } from '../../platform/http/error.ts'

/** @throws ApiError 403 for whoever is no owner. */
export const checkOwner = (role: OrgRole): void => {
  if (role !== 'owner') throw new ApiError(403, 'Only an owner of the organization can do this')
}

/** @throws ApiError 403 for whoever is neither owner nor admin. */
export const checkManager = (role: OrgRole): void => {
  if (role === 'member')
    throw new ApiError(403, 'Only an owner or an admin of the organization can do this')
}

/**
 * Owners change everybody's role; admins that of admins and members, to one of these.
 * @throws ApiError 403 for whoever may not.
 */
export const checkRoleChange = (actor: OrgRole, from: OrgRole, to: OrgRole): void => {
  checkManager(actor)
  if (from === 'owner' || to === 'owner') checkOwner(actor)
}

/**
 * Owners remove everybody, admins whoever is no owner.
 * @throws ApiError 403 for whoever may not.
 */
export const checkRemoval = (actor: OrgRole, target: OrgRole): void => {
  checkManager(actor)
  if (target === 'owner') checkOwner(actor)
}
