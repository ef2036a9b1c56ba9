import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Missing or invalid fields get 400 with the text of `badRequest`, instead of 422. */
const NewPassword = () =>
  Type.String({
    minLength: 8,
    badRequest: 'The password must have at least 8 characters',
    examples: ['a newer horse battery staple'],
    description: 'At least 8 characters. The most common passwords are rejected.',
  })

export const ForgotPassword = Type.Object({
  email: Type.String({
    minLength: 1,
    trim: true,
    badRequest: 'Email is required',
    examples: ['ada@example.com'],
  }),
})
export type ForgotPassword = Static<typeof ForgotPassword>

export const ResetPassword = Type.Object({
  token: Type.String({
    minLength: 1,
    badRequest: 'Token is required',
    description: 'The token from the reset link.',
    examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'],
  }),
  password: NewPassword(),
})
export type ResetPassword = Static<typeof ResetPassword>

export const ChangePassword = Type.Object({
  current_password: Type.String({
    minLength: 1,
    badRequest: 'Current password is required',
    examples: ['correct horse battery staple'],
  }),
  new_password: NewPassword(),
})
export type ChangePassword = Static<typeof ChangePassword>

export const RemovePassword = Type.Object({
  current_password: ChangePassword.properties.current_password,
})

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

export const removePassword = endpoint({
  name: 'removePassword',
  method: 'DELETE',
  path: '/api/auth/password',
  tag,
  summary:
    'Remove the password of an account with a passkey and recovery codes; ends all other sessions',
  credential: 'jwt',
  body: RemovePassword,
  success: [200, MessageResponse],
  errors: {
    400: ['bad_request_value', 'current_password_wrong', 'password_needed'],
    429: ['password_checks_rate_limited'],
  },
})
