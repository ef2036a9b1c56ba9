import { MessageResponse } from '../schemas/common.ts'
import { ChangePassword, ForgotPassword, ResetPassword } from '../schemas/password.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Account'

export const forgotPassword = endpoint({
  name: 'forgotPassword',
  method: 'POST',
  path: '/api/auth/forgot-password',
  tag,
  summary: 'Send a reset link if the account exists; the response does not reveal it',
  credential: 'none',
  body: ForgotPassword,
  success: [200, MessageResponse],
  errors: { 400: ['bad_request_value', 'invalid_email'], 429: ['auth_rate_limited'] },
  authLimited: true,
})

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/api/auth/reset-password',
  tag,
  summary: 'Set a new password with the token of a reset link; ends all sessions',
  credential: 'none',
  body: ResetPassword,
  success: [200, MessageResponse],
  errors: {
    400: ['bad_request_value', 'reset_link_invalid', 'common_password'],
    429: ['auth_rate_limited'],
  },
  authLimited: true,
})

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/api/auth/change-password',
  tag,
  summary: 'Change the password; ends all other sessions',
  credential: 'jwt',
  body: ChangePassword,
  success: [200, MessageResponse],
  errors: {
    400: ['bad_request_value', 'current_password_wrong', 'common_password'],
    429: ['password_checks_rate_limited'],
  },
})
