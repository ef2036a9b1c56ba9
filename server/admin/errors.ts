import { errorText } from '../../shared/errors.ts'
import { defineErrors } from '../platform/http/error.ts'

export const userAdminError = defineErrors({
  administered_user_not_found: { status: 404, detail: 'User not found' },
  admin_revoked: { status: 403, detail: errorText.adminOnly },
  last_admin: { status: 409, detail: 'This is the last admin; make another user an admin first' },
  administers_self: { status: 409, detail: 'This is your own account' },
  administers_admin: {
    status: 409,
    detail: 'The account of an admin cannot be changed by another; revoke the role first',
  },
  address_of_admin: { status: 409, detail: 'SVC_ADMIN_EMAILS makes this address an admin' },
  admin_by_configuration: {
    status: 409,
    detail: 'SVC_ADMIN_EMAILS makes this account an admin; remove its address there',
  },
})
