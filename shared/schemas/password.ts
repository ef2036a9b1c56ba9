import { type Static, Type } from '@sinclair/typebox'

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
