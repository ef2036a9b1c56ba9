import { type Static, Type } from '@sinclair/typebox'

export const VerifyEmail = Type.Object({
  token: Type.String({
    minLength: 1,
    badRequest: 'Token is required',
    description: 'The token from the verification link.',
    examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'],
  }),
})
export type VerifyEmail = Static<typeof VerifyEmail>

export const ChangeVerificationEmail = Type.Object({
  email: Type.String({ minLength: 5, maxLength: 255, trim: true, examples: ['ada@example.org'] }),
})
export type ChangeVerificationEmail = Static<typeof ChangeVerificationEmail>
