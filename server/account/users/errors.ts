import { defineErrors } from '../../platform/http/error.ts'

export const userError = defineErrors({
  invalid_email: { status: 400, detail: 'Invalid email address' },
  disposable_email: { status: 400, detail: 'Disposable email addresses are not allowed' },
  email_taken: { status: 409, detail: 'Email already registered' },
  common_password: {
    status: 400,
    detail: 'This password is among the 10,000 most common; choose another one',
  },
  account_disabled: { status: 403, detail: 'This account is disabled' },
  user_not_found: { status: 404, detail: 'User not found' },
})
