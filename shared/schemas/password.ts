import { type Static, Type } from '@sinclair/typebox'

/** Missing or invalid fields get 400 with the text of `badRequest`, instead of 422. */
const NewPassword = () =>
  Type.String({
    minLength: 8,
    badRequest: 'The password must have at least 8 characters',
    description: 'At least 8 characters. The most common passwords are rejected.',
  })

export const ForgotPassword = Type.Object({
  email: Type.String({ minLength: 1, trim: true, badRequest: 'Email is required' }),
})
export type ForgotPassword = Static<typeof ForgotPassword>

export const ResetPassword = Type.Object({
  token: Type.String({
    minLength: 1,
    badRequest: 'Token is required',
    description: 'The token from the reset link.',
  }),
  password: NewPassword(),
})
export type ResetPassword = Static<typeof ResetPassword>

export const ChangePassword = Type.Object({
  current_password: Type.String({ minLength: 1, badRequest: 'Current password is required' }),
  new_password: NewPassword(),
})
export type ChangePassword = Static<typeof ChangePassword>
