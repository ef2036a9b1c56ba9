import { errorText } from '../../shared/errors.ts'
import { defineErrors } from '../platform/http/error.ts'

export const userAdminError = defineErrors({
  administered_user_not_found: { status: 404, detail: 'User not found' },
  admin_revoked: { status: 403, detail: errorText.adminOnly },
  last_admin: { status: 409, detail: 'This is the last admin; make another user an admin first' },
  admin_by_configuration: {
    status: 409,
    detail: 'SVC_ADMIN_EMAILS makes this account an admin; remove its address there',
  },
})
