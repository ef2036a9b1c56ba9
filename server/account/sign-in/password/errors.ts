import { defineErrors } from '../../../platform/http/error.ts'

export const passwordError = defineErrors({
  reset_link_invalid: { status: 400, detail: 'This reset link is invalid or has expired' },
  current_password_wrong: { status: 400, detail: 'Current password is wrong' },
  reset_email_missing: { status: 400, detail: 'Email is required' },
  new_password_too_short: {
    status: 400,
    detail: 'The password must have at least 8 characters',
  },
})
