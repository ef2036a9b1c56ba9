import { defineErrors } from '../../../platform/http/error.ts'

export const deviceError = defineErrors({
  user_code_not_found: { status: 404, detail: 'No device login is waiting for this code' },
  device_code_unknown: { status: 400, detail: 'Unknown device code' },
  device_login_delivered: { status: 410, detail: 'This login was already delivered' },
  device_login_expired: { status: 410, detail: 'This login has expired; start a new login' },
  device_approval_revoked: {
    status: 410,
    detail: 'The approval of this login was revoked; start a new login',
  },
})
