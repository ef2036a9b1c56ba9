import { defineErrors } from '../../../platform/http/error.ts'

export const deletionError = defineErrors({
  deletion_not_confirmed: {
    status: 400,
    detail: 'Confirm with the email address of the account',
  },
  deletion_password_missing: { status: 400, detail: 'Password is required' },
  deletion_password_wrong: { status: 400, detail: 'Password is wrong' },
})
