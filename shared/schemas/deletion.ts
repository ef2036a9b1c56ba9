import { type Static, Type } from '@sinclair/typebox'

export const DeleteAccount = Type.Object(
  {
    password: Type.Optional(Type.String()),
    confirm: Type.Optional(
      Type.String({ description: 'The email address, for an account without a password.' }),
    ),
  },
  { examples: [{ password: 'correct horse battery staple' }] },
)
export type DeleteAccount = Static<typeof DeleteAccount>
